extension AltBeaconFit {
  /// Why there is no curve.
  package enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// dBm.
    case measuredPower(Double)
    /// The index of a station whose numbers no readings have.
    case unusableStation(Int)
    /// Different distances of at least 1 m.
    case tooFewDistances(Int)
    case tooFewPackets
    case doesNotFall
    /// The search left the numbers that there are; how it ended, in words.
    case undetermined(String)

    package var description: String {
      switch self {
      case .measuredPower(let power):
        "a measured power of \(power) dBm has no ratio: AltBeacon's curve needs one below 0 dBm"
      case .unusableStation(let index):
        "station \(index) has a distance or a count that is not above 0, a level that is not below "
          + "0 dBm, or squares below 0: leave it out"
      case .tooFewDistances(let count):
        "\(count) distance\(count == 1 ? "" : "s") of 1 m or more: AltBeacon's curve has 3 "
          + "constants; "
          + "record at 4 or more"
      case .tooFewPackets:
        "too few packets: AltBeacon's curve needs at least 4"
      case .doesNotFall:
        "levels do not fall with distance, so no curve of AltBeacon's fits; check distances"
      case .undetermined(let ending):
        "AltBeacon's curve is not determined by these distances (\(ending)); record at more of them"
      }
    }
  }

  /// The stations of at least 1 m.
  static func check(
    _ means: [StationMean], _ measuredPower: Double
  ) throws(Refusal) -> [StationMean] {
    guard measuredPower < 0, measuredPower.isFinite else { throw .measuredPower(measuredPower) }
    let wrong = means.firstIndex { one in
      !(one.distance > 0 && one.distance.isFinite && one.level < 0 && one.level.isFinite
        && one.count > 0 && one.count.isFinite && one.squaresWithin >= 0
        && one.squaresWithin.isFinite)
    }
    if let wrong { throw .unusableStation(wrong) }
    let used = means.filter { $0.distance >= 1 }
    let distances = Set(used.map(\.distance)).count
    guard distances >= 4 else { throw .tooFewDistances(distances) }
    guard used.reduce(0, { $0 + $1.count }) > 3 else { throw .tooFewPackets }
    return used
  }
}
