import NumericalMethods

/// The input of an estimator of a linear model: the counted levels of stations, each with its
/// linear predictor.
///
/// Rows are stations, not packets, because all readings of a station have the same prediction. All
/// columns of the design but the first, which is 1, are centred, so that no digits are lost if
/// distances nearly agree.
struct Observations {
  /// The number of columns of the design.
  let parameters: Int
  /// The design row by row, one row per station.
  let design: [Double]
  /// The means that were subtracted from the columns after the first.
  let centres: [Double]
  /// The fixed part of each station's prediction, in dB.
  let offset: [Double]
  /// The position of each station, numbered from 0.
  let cluster: [Int]
  let clusterCount: Int
  /// The first index of each station's levels in the arrays below, with the end of the last.
  let first: [Int]
  /// The levels, in dBm.
  let level: [Double]
  private(set) var count: [Double]
  /// The total weight of the readings of a level.
  var weight: [Double]
  /// The number of missed packets by station; empty if unknown.
  var missing: [Double] = []
  /// The sensitivity of each station's receiver, in dBm; empty if unknown.
  var sensitivity: [Double] = []
  /// The number of copies of each position in a bootstrap, which counts include; empty for 1.
  private(set) var copies: [Double] = []

  /// - Parameters:
  ///   - stations: The stations with received packets.
  ///   - columns: The design after its first column, by station.
  ///   - offset: The fixed part of the prediction, by station.
  init(_ stations: [Station], columns: [[Double]], offset: [Double]? = nil) {
    let extra = columns.first?.count ?? 0
    parameters = extra + 1
    var numbers: [UInt64: Int] = [:]
    var cluster: [Int] = []
    var first = [0]
    var level: [Double] = []
    var count: [Double] = []
    var weight: [Double] = []
    for station in stations {
      let known = numbers[station.position] ?? numbers.count
      numbers[station.position] = known
      cluster.append(known)
      for one in station.levels {
        // Only diagnostics distinguish the channels of one level.
        if level.count > first[first.count - 1], level[level.count - 1] == one.level {
          count[count.count - 1] += Double(one.count)
          weight[weight.count - 1] += one.weight
        } else {
          level.append(one.level)
          count.append(Double(one.count))
          weight.append(one.weight)
        }
      }
      first.append(level.count)
    }
    var centres = [Double](repeating: 0, count: extra)
    var total = 0.0
    for (index, row) in columns.enumerated() {
      let mass = weight[first[index]..<first[index + 1]].reduce(0, +)
      total += mass
      for column in 0..<extra { centres[column] += mass * row[column] }
    }
    for column in 0..<extra { centres[column] /= max(total, .leastNormalMagnitude) }
    design = columns.flatMap { row in [1] + zip(row, centres).map { $0 - $1 } }
    self.centres = centres
    self.offset = offset ?? [Double](repeating: 0, count: stations.count)
    self.cluster = cluster
    clusterCount = numbers.count
    self.first = first
    self.level = level
    self.count = count
    self.weight = weight
  }

  var stations: Int { cluster.count }
  /// The number of readings.
  var samples: Double { count.reduce(0, +) }
  /// A Boolean value that is true if every level is a whole dBm, as controllers report it.
  var isWhole: Bool { level.allSatisfy { $0 == $0.rounded() } }

  /// The variance of the rounding error, in dB²: 1/12 if every level is whole.
  var roundingVariance: Double { isWhole ? 1.0 / 12 : 0 }

  /// Weighs each position by the inverse of the variance of its mean of k packets, v + w / k, where v
  /// is the variance between positions and w that of packets (Searle, Casella and McCulloch,
  /// "Variance components", 1992, section 3.3).
  mutating func weigh(by components: VarianceComponents) {
    let (position, packet) = (components.position, components.packet)
    guard position > 0 else { return }
    var counts = [Double](repeating: 0, count: clusterCount)
    for station in 0..<stations {
      for cell in first[station]..<first[station + 1] { counts[cluster[station]] += count[cell] }
    }
    for station in 0..<stations {
      let factor = (position + packet) / (packet + position * counts[cluster[station]])
      for cell in first[station]..<first[station + 1] { weight[cell] = factor * count[cell] }
    }
  }

  /// The number of positions with readings.
  var heardClusters: Int {
    Set((0..<stations).filter { first[$0] < first[$0 + 1] }.map { cluster[$0] }).count
  }

  /// Returns the level that a share of the readings does not exceed.
  func quantile(_ share: Double) -> Double {
    let order = level.indices.sorted { level[$0] < level[$1] }
    var left = share * samples
    for cell in order {
      left -= count[cell]
      if left <= 0 { return level[cell] }
    }
    return order.last.map { level[$0] } ?? 0
  }

  /// Returns the row of a station.
  func row(_ station: Int) -> ArraySlice<Double> {
    design[station * parameters..<(station + 1) * parameters]
  }

  /// Returns the predicted level of each station, in dBm.
  func predictions(_ coefficients: [Double]) -> [Double] {
    (0..<stations).map { station in
      var sum = offset[station]
      for column in 0..<parameters {
        sum += design[station * parameters + column] * coefficients[column]
      }
      return sum
    }
  }

  /// Returns the observations with each position repeated a number of times, as in a bootstrap.
  func drawn(_ times: [Double]) -> Observations {
    var result = self
    result.copies = times
    for station in 0..<stations {
      for cell in first[station]..<first[station + 1] {
        result.weight[cell] *= times[cluster[station]]
        result.count[cell] *= times[cluster[station]]
      }
      if !missing.isEmpty { result.missing[station] *= times[cluster[station]] }
    }
    return result
  }

  /// The transformation from coefficients of the centred design to those of the original design.
  var uncentring: Matrix {
    var matrix = Matrix(diagonal: [Double](repeating: 1, count: parameters))
    for (index, centre) in centres.enumerated() { matrix[0, index + 1] = -centre }
    return matrix
  }
}
