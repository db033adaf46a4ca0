import Foundation
import Registries
import Support
import TestSupport
import Testing

@Suite struct CompanyNamesTests {
  private func names(_ text: String) -> CompanyNames { CompanyNames(text: Array(text.utf8)) }

  @Test func `reads records`() {
    let names = names(
      """
      # This file is part of systemd.

      bluetooth:v004C*
       ID_VENDOR_FROM_DATABASE=Apple, Inc.

      bluetooth:v0078*
       ID_VENDOR_FROM_DATABASE=Nike, Inc.

      bluetooth:v0078p0001*
       ID_PRODUCT_FROM_DATABASE=Nike+ FuelBand
       ID_VENDOR_FROM_DATABASE=of a product

      bluetooth:v0A01*
      bluetooth:v0a02*
       ID_OTHER=1
       ID_VENDOR_FROM_DATABASE=Two \u{1B}[31mIdentifiers
      """)
    #expect(names[0x004C] == "Apple, Inc.")
    #expect(names[0x0078] == "Nike, Inc.")
    #expect(names[0x0A01] == "Two [31mIdentifiers")
    #expect(names[0x0A02] == "Two [31mIdentifiers")
    #expect(names[0x0001] == nil)
    #expect(names.count == 4)
  }

  @Test(arguments: [
    "", "\n\n", " ID_VENDOR_FROM_DATABASE=of no company\n",
    "bluetooth:v004*\n ID_VENDOR_FROM_DATABASE=x",
    "bluetooth:v00ZZ*\n ID_VENDOR_FROM_DATABASE=x", "usb:v004C*\n ID_VENDOR_FROM_DATABASE=x",
    "bluetooth:v004C*\n ID_VENDOR_FROM_DATABASE=", "bluetooth:v*\n ID_VENDOR_FROM_DATABASE=x",
  ])
  func `passes over what names no company`(text: String) {
    #expect(names(text).count == 0)
  }

  @Test func `any bytes are read`() {
    var random = SeededGenerator(seed: 7)
    let words = [
      "bluetooth:v004C*", "\n", " ID_VENDOR_FROM_DATABASE=", "#", "\0", "é", "\r\n", " ",
    ]
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        bytes += words.randomElement(using: &random)!.utf8
        bytes.append(.random(in: 0...255, using: &random))
      }
      let names = CompanyNames(text: bytes)
      #expect(names.count <= 1)
      #expect(names[0x004C]?.isEmpty != true)
    }
  }

  @Test func `the first of several places with the file counts, and none is needed`() throws {
    let folder = try TemporaryDirectory()
    let first = try folder.write("bluetooth:v0001*\n ID_VENDOR_FROM_DATABASE=first\n", to: "a")
    let second = try folder.write("bluetooth:v0001*\n ID_VENDOR_FROM_DATABASE=second\n", to: "b")
    #expect(CompanyNames(installedAt: [folder.path("none"), second, first])[1] == "second")
    #expect(CompanyNames(installedAt: [folder.path("none")]) == CompanyNames())
    let error = #expect(throws: RSSIError.self) { try CompanyNames(path: folder.path("none")) }
    #expect(error?.kind == .noInput)
  }

  @Test func `the file of this machine agrees with grep`() throws {
    let path = try #require(
      CompanyNames.paths.first { FileManager.default.fileExists(atPath: $0) },
      "no hardware database")
    let count = try runProgram(
      "/bin/sh", ["-c", "grep -c '^bluetooth:v[0-9A-F][0-9A-F][0-9A-F][0-9A-F][*]$' \"$0\"", path])
    #expect(CompanyNames(installedAt: CompanyNames.paths).count == Int(count.output.dropLast()))
    #expect(CompanyNames()[0x004C] == nil)
    #expect(CompanyNames(installedAt: CompanyNames.paths)[0x004C] == "Apple, Inc.")
  }
}
