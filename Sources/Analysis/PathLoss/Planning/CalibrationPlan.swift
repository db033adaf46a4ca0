import NumericalMethods
import RealModule

/// A calibration that is planned: places at which receivers hear beacons for a while. Distances are
/// in metres, deviations in dB, times in seconds.
public struct CalibrationDesign: Equatable, Sendable {
  /// The standard deviation of the level of a place about the curve, which all its packets share.
  public var placeDeviation = 3.0
  /// The standard deviation of a packet about the level of its place.
  public var packetDeviation = 4.0
  /// The standard deviation of devices about their mean; 0 if they are equal.
  public var deviceDeviation = 0.0
  /// The number of devices that are heard at each place.
  public var devices = 1
  /// A Boolean value that is true if all devices share the level of a place, as beacons at the same
  /// marks do.
  public var sharesPlaces = true
  /// The nearest and the farthest distance; places are at equal steps of its logarithm.
  public var nearest = 1.0
  public var farthest = 15.0
  /// The number of packets per second.
  public var rate = 5.0
  /// The time over which fading keeps its level; packets within it are nearly one.
  public var fadingTime = 1.0
  /// The length of the stay at each place.
  public var stay = 60.0
  /// The path-loss exponent n.
  public var exponent = 2.5

  /// Creates a design with typical indoor deviations.
  public init() {}

  /// The number of independent packets of a stay: an autoregression of this correlation time gives
  /// the mean of the stay the variance of as many.
  public var independentPackets: Double { max(1, stay / (1 / rate + 2 * fadingTime)) }

  /// The variance of the mean of a stay about the curve of its device, in dB².
  fileprivate var meanVariance: Double {
    placeDeviation * placeDeviation + packetDeviation * packetDeviation / independentPackets
  }

  /// The variance of the mean over devices of a place, in dB².
  fileprivate var placeVariance: Double {
    let packets = packetDeviation * packetDeviation / independentPackets
    let shared = placeDeviation * placeDeviation
    return sharesPlaces ? shared + packets / Double(devices) : meanVariance / Double(devices)
  }

  /// Returns log10 of the distances of places.
  fileprivate func positions(_ count: Int) -> [Double] {
    let (low, high) = (Double.log10(nearest), Double.log10(farthest))
    return (0..<count).map { low + (high - low) * Double($0) / Double(count - 1) }
  }
}

/// The goal of a calibration.
public enum CalibrationGoal: Equatable, Sendable {
  /// A 95 % interval of the exponent of at most this width.
  case exponent(width: Double)
  /// A 95 % interval of the distance of the level at a distance in metres, whose ends are at most
  /// this factor apart from the distance, above 1.
  case distance(factor: Double, at: Double)
}

/// The size of a calibration: the number of places, and the results of simulated calibrations of
/// that size.
public struct CalibrationPlan: Equatable, Sendable {
  /// The largest practical number of places.
  public static let most = 300
  /// The smallest number of places for an interval.
  static let fewest = 4

  /// The number of places by the formula; `nil` above the largest practical number.
  public var formula: Int?
  /// The number of places of the formula, raised until simulated calibrations reach the power;
  /// `nil` if no practical number does.
  public var places: Int?
  /// The share of simulated calibrations that reach the goal.
  public var power: Double?
  /// The share of simulated calibrations whose interval misses the true value.
  public var misses: Double?
}

extension CalibrationPlan {
  /// Plans a calibration.
  ///
  /// The formula is that of a line through the mean levels of places, with Student's t, and with
  /// the quantile of the estimated deviation that the power requires (Draper and Smith, "Applied
  /// Regression Analysis", 1998, section 3). Simulated calibrations are fitted like recorded ones,
  /// by least squares. Complexity: runs × places × packets.
  ///
  /// - Parameters:
  ///   - power: The required probability of reaching the goal, above 0 and below 1.
  ///   - runs: The number of simulated calibrations per size.
  ///   - seed: The random seed.
  public init(
    _ goal: CalibrationGoal, _ design: CalibrationDesign, power required: Double = 0.8,
    runs: Int = 400, seed: UInt64 = 1
  ) {
    formula = (Self.fewest...Self.most).first { count in
      Self.isNarrow(goal, design, places: count, power: required)
    }
    var count = formula
    while let tried = count {
      let (reached, missed) = Self.simulated(
        goal, design, places: tried, runs: runs, seed: seed)
      if reached >= required {
        (places, power, misses) = (tried, reached, missed)
        return
      }
      let next = tried + max(1, tried / 10)
      count = next <= Self.most ? next : nil
    }
  }

  /// Returns a Boolean value that is true if the formula's interval is narrow enough.
  private static func isNarrow(
    _ goal: CalibrationGoal, _ design: CalibrationDesign, places: Int, power: Double
  ) -> Bool {
    let positions = design.positions(places)
    let mean = positions.reduce(0, +) / Double(places)
    let spread = positions.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let freedom = Double(places - 2)
    let quantile = ChiSquaredDistribution(degreesOfFreedom: freedom).quantile(power)
    let variance = design.placeVariance * quantile / freedom
    func t(_ freedom: Double) -> Double {
      StudentTDistribution(degreesOfFreedom: freedom).quantile(0.975)
    }
    switch goal {
    case .exponent(let width):
      return 2 * t(freedom) * (variance / spread).squareRoot() / 10 <= width
    case .distance(let factor, let distance):
      let step = Double.log10(distance) - mean
      let devices = design.deviceDeviation * design.deviceDeviation / Double(design.devices)
      let few = design.deviceDeviation > 0 ? Double(max(design.devices - 1, 1)) : freedom
      let level = variance * (1 / Double(places) + step * step / spread) + devices
      return t(min(freedom, few)) * level.squareRoot() / (10 * design.exponent)
        <= Double.log10(factor)
    }
  }

  /// Returns the shares of simulated calibrations that reach the goal, and whose interval misses.
  private static func simulated(
    _ goal: CalibrationGoal, _ design: CalibrationDesign, places: Int, runs: Int, seed: UInt64
  ) -> (reached: Double, missed: Double) {
    var random = RandomStream(Xoshiro256(seed: seed))
    var (reached, missed) = (0, 0)
    var fit = PathLossFit()
    if case .distance(_, let distance) = goal {
      fit.levels = [power - 10 * design.exponent * Double.log10(distance)]
    }
    for _ in 0..<runs {
      let group = fit.group(key: "plan", design.stations(places, power: power, &random))
      switch goal {
      case .exponent(let width):
        guard let interval = group.exponentInterval else { continue }
        if interval.upper - interval.lower <= width { reached += 1 }
        if !interval.contains(design.exponent) { missed += 1 }
      case .distance(let factor, let distance):
        // An interval without an end holds every distance.
        guard let found = group.distanceAt.first, let interval = found.interval else { continue }
        if interval.upper / found.distance <= factor, found.distance / interval.lower <= factor {
          reached += 1
        }
        if !interval.contains(distance) { missed += 1 }
      }
    }
    return (Double(reached) / Double(runs), Double(missed) / Double(runs))
  }

  /// The level at 1 m of simulated calibrations, in dBm; no result depends on it.
  private static let power = -60.0
}

extension CalibrationDesign {
  /// Returns the stations of one simulated calibration, with independent packets.
  fileprivate func stations(
    _ places: Int, power: Double, _ random: inout RandomStream<Xoshiro256>
  ) -> [Station] {
    // Many packets are as precise as fewer that scatter less.
    let packets = min(Int(min(independentPackets, 1e6).rounded()), 200)
    let deviation =
      packetDeviation * (Double(packets) / max(independentPackets, 1)).squareRoot()
    let offsets = (0..<devices).map { _ in deviceDeviation * random.gaussian() }
    var stations: [Station] = []
    for (place, logDistance) in positions(places).enumerated() {
      let shared = placeDeviation * random.gaussian()
      for (device, offset) in offsets.enumerated() {
        let own = sharesPlaces ? shared : placeDeviation * random.gaussian()
        let level = power - 10 * exponent * logDistance + offset + own
        var station = Station(
          beacon: "b\(device)", receiver: "phone", series: "plan",
          position: UInt64(sharesPlaces ? place : place * devices + device),
          distance: Double.exp10(logDistance))
        let levels = (0..<packets).map { _ in level + deviation * random.gaussian() }
        station.levels = levels.sorted().map { LevelCount(level: $0, count: 1) }
        stations.append(station)
      }
    }
    return stations
  }
}
