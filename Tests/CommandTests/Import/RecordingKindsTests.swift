import Foundation
import TestSupport
import Testing

@Suite("Recordings are recognised by content, and name their receivers")
struct RecordingKindsTests {
  private static let samples = sharedData("../rig/samples")

  private func summary(_ arguments: String...) throws -> (report: [String: Any], error: String) {
    let folder = try TemporaryDirectory()
    let result = try runProgram(
      builtProgram, ["import"] + arguments + ["-o", folder.path("t.h5"), "--json"])
    #expect(result.exitCode == 0, "\(result.error)")
    return (try json(result.output), result.error)
  }

  /// The names of the receivers of what a file holds.
  private func receivers(_ path: String, _ options: String...) throws -> [String] {
    let folder = try TemporaryDirectory()
    let trace = folder.path("t.h5")
    let result = try runProgram(builtProgram, ["import", path, "-o", trace] + options)
    #expect(result.exitCode == 0, "\(result.error)")
    let table = try rssi("export", trace, "--format", "csv").output.split(separator: "\n")
    let column = try #require(table.first?.split(separator: ",").firstIndex(of: "receiver"))
    return Set(
      table.dropFirst().map {
        String($0.split(separator: ",", omittingEmptySubsequences: false)[column])
      }
    ).sorted()
  }

  @Test(
    .needs(data: "../rig/samples"),
    arguments: [
      ("h4_187.pcap", "hci0"), ("bt0_201.pcap", "hci0"), ("mon_254.pcap", "hci0"),
      ("ll_251.pcap", "sniffer"), ("llphdr_256.pcap", "sniffer"), ("nordic_272.pcap", "sniffer"),
      ("packetlogger_be.pklg", "hci0"), ("packetlogger_le.pklg", "hci0"),
      ("hcidump.btsnoop", "hci0"),
    ])
  func `receiver names`(name: String, receiver: String) throws {
    let path = try #require(Self.samples).appending(path: name).path
    #expect(try receivers(path) == [receiver])
    #expect(try receivers(path, "--receiver", "door") == ["door"])
  }

  @Test(.needs(data: "captures", "../rig/samples"))
  func `whatever the name ends in`() throws {
    let folder = try TemporaryDirectory()
    let captures = try #require(sharedData("captures"))
    for (original, name, sightings) in [
      ("pcap_256_whad_sniffle.pcap", "a.pcapng", 22),
      ("pcapng_256_whad_ble_discovery.pcapng", "b.pcap", 24),
      ("pcapng_256_crackle_lesc.pcapng", "c.csv", 42),
      ("../../rig/samples/packetlogger_le.pklg", "d.btsnoop", 6),
      ("../../rig/samples/hcidump.btsnoop", "e.pklg", 12),
    ] {
      let path = folder.path(name)
      try FileManager.default.copyItem(
        atPath: captures.appending(path: original).path, toPath: path)
      #expect(try summary(path).report["sightings"] as? Int == sightings, "\(name)")
    }
  }

  @Test(.needs(data: "../rig/samples"))
  func `fit takes what import takes`() throws {
    let samples = try #require(Self.samples)
    // No distances are known, so there is nothing to fit; but the recordings are read alike.
    let errors = try ["h4_187.pcap", "llphdr_256.pcap", "packetlogger_be.pklg"].map {
      let result = try rssi("fit", samples.appending(path: $0).path)
      #expect(result.exitCode != 0)
      return result.error.replacing($0, with: "")
    }
    #expect(Set(errors).count == 1, "\(errors)")
    #expect(!errors[0].contains("neither"))
  }

  @Test func `an unsupported link type is named, without a failure`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("ethernet.pcap")
    var bytes: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    bytes += [0xFF, 0xFF, 0, 0, 1, 0, 0, 0]
    for _ in 0..<3 { bytes += [0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 7] }
    try Data(bytes).write(to: URL(filePath: path))
    let (report, error) = try summary(path)
    #expect(report["sightings"] as? Int == 0)
    #expect(report["rejected"] as? [String: Int] == ["unsupported-link-type": 3])
    #expect(error.hasPrefix("warning: ") && error.contains("link type 1"))
    #expect(try summary(path, "--quiet").error.isEmpty)
  }

  @Test func `a capture cut in its header is refused in one sentence`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("cut.pcap")
    try Data([0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0]).write(to: URL(filePath: path))
    let result = try rssi("import", path, "-o", folder.path("t.h5"))
    #expect(result.exitCode == 65)
    #expect(result.error.contains("libpcap cannot read"))
    #expect(result.error.split(separator: "\n").count == 1)
    #expect(try folder.names() == ["cut.pcap"])
  }
}
