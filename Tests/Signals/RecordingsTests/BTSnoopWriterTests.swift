import Advertising
import Foundation
import Recordings
import Support
import TestSupport
import Testing

@Suite struct BTSnoopWriterTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Reports of every kind: legacy and extended, long, without RSSI, from a beacon.
  private func samples() -> ReportCollector {
    var random = SeededGenerator(seed: 6)
    var samples = ReportCollector()
    for index in 0..<400 {
      var report = AdvertisingReport(
        time: 1_700_000_000_000_000_000 + Int64(index) * 1_000_000,
        address: DeviceAddress(
          bits: .random(in: 1..<(1 << 48), using: &random), type: UInt8(index % 2)),
        rssi: index % 10 == 0 ? .nan : Float(-index % 100),
        eventType: [0x13, 0x15, 0x12, 0x10, 0x1B, 0x1A, 0, 1][index % 8])
      if index % 8 > 5 {
        report.sid = 3
        report.secondaryPHY = 2
      }
      let length = index % 8 > 5 ? Int.random(in: 0...600, using: &random) : index % 32
      // One manufacturer structure after the other, so that the data are well formed.
      var payload: [UInt8] = []
      while payload.count + 6 <= length {
        payload += [5, 0xFF, 0x4C, 0, 1, .random(in: 0...255, using: &random)]
      }
      samples.receive(report, payload: payload.span)
    }
    return samples
  }

  private func write(_ samples: ReportCollector) throws -> String {
    let path = directory.path("written.btsnoop")
    var writer = try BTSnoopWriter(path: path)
    for (report, payload) in zip(samples.reports, samples.payloads) {
      try writer.receive(report, payload: payload.span)
    }
    try writer.close()
    return path
  }

  @Test func `written packets are read back`() throws {
    let samples = samples()
    var reader = try BTSnoopReader(path: write(samples))
    var collector = ReportCollector()
    let counts = try reader.decode(into: &collector)
    #expect(counts.rejections.total == 0)
    #expect(collector.payloads == samples.payloads)
    #expect(collector.reports.map(\.time) == samples.reports.map(\.time))
    #expect(collector.reports.map(\.address) == samples.reports.map(\.address))
    #expect(collector.reports.map(\.eventType) == samples.reports.map(\.eventType))
    #expect(collector.reports.map { "\($0.rssi)" } == samples.reports.map { "\($0.rssi)" })
  }

  /// Wireshark reads the same address, strength and data from every event, and finds none malformed
  /// but fragments, which it does not join: their structures go on in the next event.
  @Test(.needs(program: tsharkPath))
  func `Wireshark agrees`() throws {
    let samples = samples()
    let output = try runProgram(
      tsharkPath,
      [
        "-r", try write(samples), "-T", "fields", "-E", "separator=;", "-e", "bthci_evt.bd_addr",
        "-e", "bthci_evt.rssi", "-e", "bthci_evt.data_length", "-e", "btcommon.eir_ad.entry.data",
        "-e", "_ws.malformed",
      ])
    #expect(output.exitCode == 0)
    var lines = output.output.split(separator: "\n")[...]
    for (report, payload) in zip(samples.reports, samples.payloads) {
      let events = HCIEventEncoder.events(of: report, payload: payload.span)
      for event in events {
        let address = report.address.description.lowercased()
        let rssi = report.rssi.isNaN ? "127" : "\(Int(report.rssi))"
        let length = event[2] == 2 ? event[12] : event[27]
        let line = lines.popFirst() ?? ""
        #expect(line.hasPrefix("\(address);\(rssi);\(length);"))
        guard events.count == 1 else { continue }
        let data = stride(from: 4, to: payload.count, by: 6).map {
          payload[$0...($0 + 1)].map { String(format: "%02x", $0) }.joined()
        }
        #expect(line == "\(address);\(rssi);\(length);\(data.joined(separator: ","));")
      }
    }
    #expect(lines.isEmpty)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func `recognises a full disk`() throws {
    var writer = try BTSnoopWriter(path: "/dev/full")
    try writer.write(event: advertisement(rssi: -40).span, time: 0)
    #expect(throws: RSSIError.diskFull(path: "/dev/full")) { try writer.flush() }
  }

  @Test func `a folder that is not there`() {
    #expect(throws: RSSIError.self) { _ = try BTSnoopWriter(path: "/no/such/folder/file") }
  }
}

/// The path of tshark.
let tsharkPath = "/usr/bin/tshark"
