import Advertising
import PathLoss
import Registries
import Sightings
import Testing

@testable import TracePipelines

@Suite struct CalibratedBeaconTests {
  private func calibrated(
    _ poses: [(level: Float, distance: Double, packets: Int)]
  ) -> CalibratedBeacon {
    var bench = HeardBench()
    for (index, pose) in poses.enumerated() {
      let begin = 100 * index
      bench.hear(
        pose.level, times: begin..<begin + pose.packets, distance: pose.distance,
        pose: "pose \(index + 1)")
    }
    return CalibratedBeacon("tag", in: bench.table(), precision: 1)
  }

  @Test func `the measured power is the mean over the poses at 1 m`() {
    let beacon = calibrated([(-60, 1, 12), (-62, 1, 100), (-61, 1.01, 12), (-67, 2, 12)])
    #expect(beacon.power?.mean == -61)
    #expect(beacon.poses.map(\.isAtOneMetre) == [true, true, true, false])
    #expect(beacon.furtherPoses == 15)
    #expect(beacon.needed.hasPrefix("4 or more"))
    let four = calibrated([(-60, 1, 12), (-62, 1, 12), (-61, 1, 12), (-61, 1, 12)])
    #expect(four.furtherPoses == 4)
    #expect(four.needed.hasPrefix("4 more poses for ± 1"))
  }

  /// A fifth of 40 packets is 20 dB weaker: the mean falls by 4 dB, and the trimmed mean of the 32 in the
  /// middle, which has 4 of them, by 2.5 dB.
  @Test func `weak packets lower the mean of all packets more than the measured power`() throws {
    var bench = HeardBench()
    for pose in 0..<3 {
      bench.hear(-60, times: 100 * pose..<100 * pose + 40, distance: 1, pose: "pose \(pose)")
      for packet in 32..<40 { bench.rows.rssi[40 * pose + packet] = -80 }
    }
    let beacon = CalibratedBeacon("tag", in: bench.table(), precision: 1)
    #expect(beacon.power?.mean == -62.5)
    #expect(beacon.untrimmedPower == -64)
    #expect(beacon.trimmingDifference == 1.5)
    #expect(beacon.warnings.contains { $0.contains("1.5 dB lower, more than fading explains") })
    let calm = calibrated([(-60, 1, 12), (-62, 1, 12), (-61, 1, 12)])
    #expect(calm.trimmingDifference == 0)
    #expect(!calm.warnings.contains { $0.contains("fading") })
  }

  @Test func `poses with too few packets, or nearer than any level, are left out by name`() {
    let beacon = calibrated([(-60, 1, 9), (-62, 1, 12), (-20, 0.001, 12)])
    #expect(beacon.power?.mean == -62)
    for (warning, words) in zip(
      beacon.warnings, [["\"pose 1\" at 1 m", "9 packets"], ["\"pose 3\" at 0.001 m", "1 cm"]])
    {
      for words in words { #expect(warning.contains(words), "\(warning)") }
    }
    #expect(beacon.warnings.count >= 2)
  }

  @Test func `other distances give an extrapolated value, which is compared`() throws {
    let beacon = calibrated([(-50, 1, 12), (-60, 2, 12), (-66, 4, 12), (-72, 8, 12)])
    let fit = try beacon.extrapolated.get()
    #expect(fit.distances == 3)
    #expect(abs(try #require(beacon.extrapolatedDifference) - 4) < 0.01)
    #expect(beacon.warnings.contains { $0.contains("4.0 dB above") })
  }
}

@Suite struct BeaconsToCalibrateTests {
  private static let left = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:1"
  private static let right = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:2"

  private func table(_ beacons: [String]) -> PoseMeasurements {
    var bench = HeardBench(beacons)
    for beacon in beacons.indices { bench.hear(-60, times: 0..<12, distance: 1, beacon: beacon) }
    return bench.table()
  }

  private func beacons(_ choices: String..., isAll: Bool = false) throws -> BeaconsToCalibrate {
    BeaconsToCalibrate(choices: try choices.map { try BeaconChoice($0) }, isAll: isAll)
  }

  @Test func `several beacons are refused until it is clear which is meant`() throws {
    let both = table([Self.left, Self.right])
    #expect {
      _ = try beacons().names(in: both)
    } throws: { "\($0)".contains("2 beacons were heard") && "\($0)".contains("`allBeacons`") }
    #expect(try beacons(isAll: true).names(in: both) == [Self.left, Self.right])
    #expect(try beacons(String(Self.right.dropFirst(8))).names(in: both) == [Self.right])
    #expect {
      _ = try beacons("5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365").names(in: both)
    } throws: { "\($0)".contains("match 5E1F0A3C") }
  }

  @Test func `devices that name themselves come before addresses`() throws {
    let mixed = table([Self.left, "addr:11:22:33:44:55:66", "addr:11:22:33:44:55:67"])
    #expect(try beacons().names(in: mixed) == [Self.left])
    #expect(throws: (any Error).self) {
      try beacons().names(
        in: table(["addr:11:22:33:44:55:66", "addr:11:22:33:44:55:67"]))
    }
  }

  @Test func `one that was not received is named, with what was`() {
    #expect {
      _ = try beacons("tag").names(in: table([Self.left]))
    } throws: { "\($0)".hasPrefix("tag ") && "\($0)".hasSuffix(" ibeacon:…:1:1 (12 sightings)") }
  }

  @Test func `a beacon that is guessed stays the one that is meant, others are mentioned`() throws {
    var meant = try beacons()
    try meant.settle(on: meant.names(in: table([Self.left])))
    let later = table([Self.left, Self.right])
    #expect(try meant.names(in: later) == [Self.left])
    let others = meant.bystanders(in: later)
    #expect(others.count == 1 && others[0].hasSuffix(" ibeacon:…:1:2 (12 sightings)"))
    // A named beacon needs no note about others.
    var named = try beacons(Self.left)
    try named.settle(on: [Self.left])
    #expect(named.bystanders(in: later).isEmpty)
  }

  @Test func `a name of the registry means its beacon`() throws {
    var known = RegisteredBeacon(try #require(BeaconPattern(Self.right)?.identity))
    known.name = "door"
    let choice = try BeaconChoice("door", in: Registry([known]))
    #expect(choice.matches(Self.right) && !choice.matches(Self.left))
    #expect {
      _ = try BeaconChoice("")
    } throws: { "\($0)".contains("`beacon` is empty") }
  }
}
