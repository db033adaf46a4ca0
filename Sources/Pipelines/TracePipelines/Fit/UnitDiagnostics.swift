import Glibc
import PathLoss
import Sightings

// What a fit shows of numbers that are not levels, and of distances that are not in metres.
extension Diagnostic {
  /// The power at 1 m that a fit, or its levels in free space, would need, where no beacon has it.
  static func implausiblePower(_ group: PathLossGroup, _ stations: [Station]) -> Diagnostic? {
    if let power = group.measuredPower, let doubt = AdvertisedPower.doubt(power) {
      return Diagnostic("implausible-power", doubt, value: power)
    }
    guard let needed = powerInFreeSpace(stations), needed > mostUsual else { return nil }
    return Diagnostic(
      "implausible-power",
      "at these distances half of the levels would need \(Int(needed.rounded())) dBm or more at 1 m, "
        + "even in free space: \(AdvertisedPower.advice)", value: needed)
  }

  /// The power at 1 m in dBm above which the levels of a fit are doubted: that of the strongest
  /// transmitters, 20 dBm less 40 dB, is 15 dB more, and needs a directional antenna to be heard
  /// so.
  private static let mostUsual = -35.0

  /// The median over readings of the power at 1 m that would give the level with an exponent of 2:
  /// walls and bodies need more. Nil without readings.
  private static func powerInFreeSpace(_ stations: [Station]) -> Double? {
    let needed = stations.map {
      (power: $0.meanLevel + 20 * log10($0.distance), count: $0.samples)
    }.sorted { $0.power < $1.power }
    var left = needed.reduce(0) { $0 + $1.count } / 2
    for one in needed {
      left -= one.count
      if left < 0 { return one.power }
    }
    return nil
  }

  /// The fillers among the levels of a group.
  static func fillers(_ stations: [Station]) -> [Diagnostic] {
    let links = Dictionary(grouping: stations) { [$0.beacon, $0.receiver] }.values.map { link in
      Dictionary(
        link.flatMap(\.levels).map { (Int($0.level.rounded()), $0.count) }, uniquingKeysWith: +
      ).sorted { $0.key < $1.key }.map { (level: $0.key, count: $0.value) }
    }
    return FillerLevel.find(in: links).map {
      Diagnostic(
        "filler-levels", "\($0.words); \(FillerLevel.advice)",
        value: Double($0.count) / Double($0.total))
    }
  }
}

extension [Diagnostic] {
  /// Adds what the levels and the power of a group show; fillers are not packets that are missing.
  mutating func addUnits(of group: PathLossGroup, _ stations: [Station]) {
    let fillers = Diagnostic.fillers(stations)
    if !fillers.isEmpty { removeAll { $0.code == "suspected-censoring" } }
    self += fillers + [Diagnostic.implausiblePower(group, stations)].compactMap(\.self)
  }
}
