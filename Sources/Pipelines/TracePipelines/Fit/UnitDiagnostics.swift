import Glibc
import PathLoss
import Sightings

// Diagnostics for numbers that are not levels, and for distances that are not in metres.
extension Diagnostic {
  /// Returns the implausible power at 1 m of a fit, or of its levels in free space; nil if it is
  /// plausible.
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

  /// The power at 1 m, in dBm, above which the levels of a fit are doubted. The strongest
  /// transmitters reach 20 dBm less 40 dB, 15 dB more, which is received only with a directional
  /// antenna.
  private static let mostUsual = -35.0

  /// Returns the median over readings of the power at 1 m that gives the level with an exponent of
  /// 2; walls and bodies need more. Nil without readings.
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

  /// Returns the filler values among the levels of a group.
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
  /// Adds the doubts about levels and power of a group; fillers do not count as missing packets.
  mutating func addUnits(of group: PathLossGroup, _ stations: [Station]) {
    let fillers = Diagnostic.fillers(stations)
    if !fillers.isEmpty { removeAll { $0.code == "suspected-censoring" } }
    self += fillers + [Diagnostic.implausiblePower(group, stations)].compactMap(\.self)
  }
}
