/// A chain of filters for one link: each takes what the one before it says.
public struct LinkFilter: Sendable {
  /// One filter of the chain; an enumeration, since a switch is cheaper than a protocol's box.
  public enum Stage: Sendable {
    case kalman(KalmanFilter)
    case median(MedianFilter)
  }

  /// The filter of a specification.
  ///
  /// - Parameters:
  ///   - specification: what was asked for.
  ///   - noise: q in dB² per second and r in dB² for a Kalman filter that states none.
  public static func stage(
    _ specification: FilterSpecification, noise: (q: Double, r: Double)
  ) -> Stage {
    switch specification {
    case .kalman(let q, let r): .kalman(KalmanFilter(q: q ?? noise.q, r: r ?? noise.r))
    case .median(let window): .median(MedianFilter(window: window))
    }
  }

  public private(set) var stages: [Stage]
  /// Levels taken.
  public private(set) var samples: UInt64 = 0

  public init(_ stages: [Stage]) { self.stages = stages }

  /// Takes the level of one sighting.
  public mutating func update(time: Int64, rssi: Double) -> FilteredLevel {
    samples += 1
    var result = FilteredLevel(rssi: rssi, variance: .nan)
    for index in stages.indices {
      switch stages[index] {
      case .kalman(var filter):
        result = filter.update(time: time, rssi: result.rssi)
        stages[index] = .kalman(filter)
      case .median(var filter):
        // Moved out, so that updating does not copy the window.
        stages[index] = .median(MedianFilter(window: filter.window))
        result = filter.update(time: time, rssi: result.rssi)
        stages[index] = .median(filter)
      }
    }
    return result
  }

  /// The last Kalman filter of the chain, whose parameters are reported.
  public var kalman: KalmanFilter? {
    for case .kalman(let filter) in stages.reversed() { return filter }
    return nil
  }
}
