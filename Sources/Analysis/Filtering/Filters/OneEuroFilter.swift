import Support

/// The 1€ filter: a low-pass filter whose cut-off frequency rises with the rate of change of the
/// level.
///
/// Let h be the seconds since the last level and α(f) = 1 / (1 + 1 / (2π f h)):
///
///     v ← v + α(dcutoff) ((z − x) / h − v)        f = fmin + beta |v|        x ← x + α(f) (z − x)
///
/// v is the rate of change in dB per second. The start is the first level at rest; levels of the
/// same time count as one, their mean. Source: Casiez, Roussel and Vogel, "1€ filter: a simple
/// speed-based low-pass filter for noisy input in interactive systems", CHI 2012, algorithm 1. O(1)
/// per sighting.
public struct OneEuroFilter: LevelFilter {
  /// The cut-off frequency at rest, in Hz.
  public let fmin: Double
  /// The rise of the cut-off frequency with the rate of change, in Hz per dB/s.
  public let beta: Double
  /// The cut-off frequency of the rate of change, in Hz.
  public let dcutoff: Double
  private var newest = Instant()
  private var level = 0.0
  private var speed = 0.0
  /// The level and its rate of change before the latest instant.
  private var before = (level: 0.0, speed: 0.0)

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - fmin: The cut-off frequency at rest in Hz, above 0.
  ///   - beta: Its rise in Hz per dB/s, at least 0.
  ///   - dcutoff: The cut-off frequency of the rate of change in Hz, above 0.
  public init(fmin: Double, beta: Double, dcutoff: Double) {
    self.fmin = fmin
    self.beta = beta
    self.dcutoff = dcutoff
  }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    if newest.add(rssi, at: time) { before = (level, speed) }
    let h = newest.seconds
    if h == .infinity {
      level = newest.mean
    } else {
      let slope = (newest.mean - before.level) / h
      speed = between(before.speed, slope, share: share(dcutoff, h))
      let cutoff = fmin + beta * abs(speed)
      level = between(before.level, newest.mean, share: share(cutoff, h))
    }
    return FilteredLevel(rssi: level, variance: .nan)
  }

  private func share(_ cutoff: Double, _ h: Double) -> Double {
    1 / (1 + 1 / (2 * .pi * cutoff * h))
  }
}

extension FilterKind {
  static let oneEuro = causal(
    "one-euro", "low-pass whose cut-off rises with the rate of change",
    [
      .number("fmin", in: 1e-9...1e9, unit: "Hz", default: "0.1", "cut-off frequency at rest"),
      .number(
        "beta", in: 0...1e9, unit: "Hz per dB/s", default: "0.01",
        "rise of the cut-off frequency with the rate of change"),
      .number(
        "dcutoff", in: 1e-9...1e9, unit: "Hz", default: "1",
        "cut-off frequency of the rate of change"),
    ]
  ) { values, _ in
    OneEuroFilter(
      fmin: values.number("fmin"), beta: values.number("beta"), dcutoff: values.number("dcutoff"))
  }
}
