import NumericalMethods

/// The counted levels of some stations with the linear predictor of each station: what an estimator
/// of a linear model fits.
///
/// Rows are stations, not packets: all readings of a station have the same prediction. All columns
/// of the design but the first, which is 1, are centred, so that no digits are lost where distances
/// nearly agree.
struct Observations {
  /// Columns of the design.
  let parameters: Int
  /// Row by row, one row a station.
  let design: [Double]
  /// What was taken off the columns after the first.
  let centres: [Double]
  /// The part of each station's prediction that is not fitted, dB.
  let offset: [Double]
  /// Each station's position, numbered from 0.
  let cluster: [Int]
  let clusterCount: Int
  /// Where each station's levels begin in the arrays below, and where the last one's end.
  let first: [Int]
  /// dBm.
  let level: [Double]
  private(set) var count: [Double]
  /// What the readings of a level weigh together.
  var weight: [Double]
  /// How often nothing was heard though something was sent, by station; empty where not known.
  var missing: [Double] = []
  /// The lowest level, in dBm, that each station's receiver hears; empty where not known.
  var sensitivity: [Double] = []

  /// - Parameters:
  ///   - stations: where something was heard.
  ///   - columns: by station, the design after its first column.
  ///   - offset: by station, the part of the prediction that is not fitted.
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
        // Channels of one level are distinguished by diagnostics only.
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
  /// Readings.
  var samples: Double { count.reduce(0, +) }
  /// A Boolean value that is true if every level is a whole dBm, as controllers report it: an
  /// interval of 1 dB.
  var isWhole: Bool { level.allSatisfy { $0 == $0.rounded() } }

  /// The variance of the error of rounding, dB²: 1/12 where every level is whole.
  var roundingVariance: Double { isWhole ? 1.0 / 12 : 0 }

  /// The row of a station.
  func row(_ station: Int) -> ArraySlice<Double> {
    design[station * parameters..<(station + 1) * parameters]
  }

  /// The predicted level of each station, dBm.
  func predictions(_ coefficients: [Double]) -> [Double] {
    (0..<stations).map { station in
      var sum = offset[station]
      for column in 0..<parameters {
        sum += design[station * parameters + column] * coefficients[column]
      }
      return sum
    }
  }

  /// The same with each position counted so many times, as a bootstrap draws them.
  func drawn(_ times: [Double]) -> Observations {
    var result = self
    for station in 0..<stations {
      for cell in first[station]..<first[station + 1] {
        result.weight[cell] *= times[cluster[station]]
        result.count[cell] *= times[cluster[station]]
      }
      if !missing.isEmpty { result.missing[station] *= times[cluster[station]] }
    }
    return result
  }

  /// From coefficients of the centred design to those of the design as it was given.
  var uncentring: Matrix {
    var matrix = Matrix(diagonal: [Double](repeating: 1, count: parameters))
    for (index, centre) in centres.enumerated() { matrix[0, index + 1] = -centre }
    return matrix
  }
}
