import Advertising
import Foundation
import Glibc
import Sightings
import TestSupport
import Testing

@testable import Capture

/// Against bumble, an independent Bluetooth stack: beacons, link and controller are all its own.
@Suite(
  .enabled(if: hasBumble, "needs bumble: run scripts/bootstrap test")
)
struct BumbleTests {
  struct Told: Hashable {
    var address: String
    var payload: String
  }

  /// Captures until every beacon was heard three times; returns what was told and what was heard.
  private func listen(
    _ options: [String]
  ) throws -> (told: Set<Told>, sink: RecordingSink) {
    let port = try reservedPort()
    let bumble = try RunningProgram(
      pythonPath,
      [repositoryRoot.appending(path: "Tests/Rig/bumble/advertise.py").path, "\(port)"] + options)
    try #require(bumble.waits { bumble.output.contains("ready") }, "\(bumble.error)")
    let told = Set(
      bumble.output.split(separator: "\n").filter { $0.hasPrefix("told") }.map { line in
        let words = line.split(separator: " ")
        return Told(address: String(words[1]), payload: String(words[2]))
      })
    let deadline = ContinuousClock.now + patience
    var sink = RecordingSink { sink in
      let heard = Dictionary(grouping: sink.reports) { $0.report.address }.mapValues(\.count)
      let isEnough = heard.count == told.count && heard.values.allSatisfy { $0 >= 6 }
      return !isEnough && ContinuousClock.now < deadline
    }
    var source = try Controller.h4("tcp:127.0.0.1:\(port)").scanner()
    try source.run(into: &sink)
    return (told, sink)
  }

  private func heard(_ sink: RecordingSink) -> Set<Told> {
    Set(
      sink.reports.map { received in
        let digits = received.payload.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return Told(address: received.report.address.description, payload: digits.joined())
      })
  }

  @Test func `beacons and extended advertisements arrive byte for byte`() throws {
    let (told, sink) = try listen([])
    #expect(told.count == 5)
    #expect(told.contains { $0.payload.count > 2 * 31 })
    #expect(heard(sink) == told)
    #expect(sink.reports.allSatisfy { $0.report.rssi == -50 && $0.report.address.type == 1 })
    #expect(sink.reports.contains { $0.report.eventType == 1 })
    let kinds = Set(
      sink.reports.map { received in
        let payload = received.payload.span
        return BeaconIdentity(BeaconFrame(payload: payload), address: received.report.address)
          .description.prefix { $0 != ":" }
      })
    #expect(kinds.isSuperset(of: ["ibeacon", "eddystone-uid"]))
    #expect(sink.rejected.isEmpty && sink.losses.isEmpty)
    #expect(sink.receivers[0]?.radio.controller.hasPrefix("00:AA:00:00:00:01, Bluetooth 5") == true)
  }

  @Test func `legacy controller gives the same`() throws {
    let (told, sink) = try listen(["--legacy"])
    #expect(told.count == 3)
    #expect(heard(sink) == told)
    #expect(sink.reports.allSatisfy { [0x13, 0x1B].contains($0.report.eventType) })
  }
}

private let hasBumble =
  (try? runPython("import bumble.controller").exitCode) == 0
