import Foundation
import Glibc
import Support
import TestSupport
import Testing
import TracePipelines

@Suite("What a file holds is recognised by its content")
struct InputKindTests {
  @Test(
    arguments: [
      ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], InputKind.trace),
      (Array("btsnoop\0".utf8), .btsnoop),
      ([0xD4, 0xC3, 0xB2, 0xA1] + [UInt8](repeating: 0, count: 20), .pcap),
      (
        [0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0]
          + [UInt8](repeating: 0xFF, count: 8) + [28, 0, 0, 0], .pcap
      ),
      (Array("time_s,rssi_dbm\n1,-60\n".utf8), .table),
      (Array(" \n {\"time_s\":1}\n".utf8), .stream),
      (Array("\u{FEFF}{\"time_s\":1}\n".utf8), .stream), (Array("[\n {\"a\":1}]".utf8), .stream),
      ([0xFF, 0xFE] + Array("[{}]".utf8).flatMap { [$0, 0] }, .stream),
      ([0xFE, 0xFF] + Array("[ {".utf8).flatMap { [0, $0] }, .stream),
      (Array("[1700000000.1] a,-60\n".utf8), .table),
    ] as [([UInt8], InputKind)])
  func `first bytes`(bytes: [UInt8], kind: InputKind) throws {
    let directory = try TemporaryDirectory()
    // The name has another extension.
    let path = directory.path("file.xyz")
    try Data(bytes).write(to: URL(filePath: path))
    #expect(try InputKind(path: path) == kind)
  }

  @Test func `files that no stage reads`() throws {
    let directory = try TemporaryDirectory()
    let binary = directory.path("binary")
    try Data([0, 1, 2, 3, 255, 254, 7, 8, 9, 200, 100, 50, 1, 0]).write(to: URL(filePath: binary))
    #expect(mkfifo(directory.path("pipe"), 0o600) == 0)
    for (path, kind) in [
      (binary, RSSIError.Kind.badInput), (try directory.write("", to: "empty"), .badInput),
      (directory.path("none"), .noInput), (directory.url.path, .noInput),
      (directory.path("pipe"), .noInput),
    ] {
      let error = #expect(throws: RSSIError.self) { try InputKind(path: path) }
      #expect(error?.kind == kind)
      #expect(error?.subject == path)
    }
  }
}
