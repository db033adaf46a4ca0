import Support

/// Parameters of several algorithms.
extension Parameter {
  static let anchors = count(
    "anchors", in: 3 ... .max, or: "all", default: "3", "how many of the nearest anchors count")
  static let map = flag("map", default: false, "whether levels are those of the radio map")
  static let silence = flag(
    "silence", default: true, "whether silence counts, where receptions are known")
  /// One level in a hundred is an outlier, equally probable anywhere in 60 dB: the normal density
  /// falls below that of such levels at 3.5 standard deviations of 5 dB, as ln(100 × 60 / 5√2π) =
  /// 3.5² / 2.
  static let cutoff = number(
    "cutoff", in: 1...100, default: "3.5",
    "standard deviations from which on a level is an outlier")
  static let guessedSpeed = number(
    "speed", in: 0.01...100, unit: "m/s", or: "auto", default: "auto",
    "root mean square of the target's speed; auto = learned with a map, 1 without")
  static let offset = number(
    "offset", in: 0...40, unit: "dB", or: "auto", default: "auto",
    "standard deviation of an error of all levels; auto = the map's, 3 without")
  static let mapOffset = number(
    "offset", in: 0...40, unit: "dB", or: "auto", default: "auto",
    "standard deviation of an error of all levels; auto = the map's, 0 without")
  static let seed = number("seed", in: 0...1e15, default: "1", "seed of the random numbers")
  static let speed = number(
    "speed", in: 0.01...100, unit: "m/s", default: "1", "root mean square of the target's speed")
}
