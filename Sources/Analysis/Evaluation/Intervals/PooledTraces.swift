/// The sorted values of some traces, prepared for fast quantiles of resampled traces.
///
/// For each block of values, it stores the cumulative count of each trace. A quantile of a draw is
/// found by adding up the counts of a few blocks with the traces' weights, and then counting within
/// one block: the effort is traces + block, not values.
struct PooledTraces {
  /// The values in ascending order, with the number of the trace of each.
  private let values: [Double]
  private let owners: [Int32]
  /// The number of values of each trace.
  let counts: [Int]
  private let blockLength: Int
  private let blockCount: Int
  /// The cumulative counts of each trace, row by row, from the start of the first block to the end
  /// of the last. They are exact integers, stored as doubles because there are no products of
  /// vectors of wide integers.
  private let passed: [SIMD8<Double>]
  private let lanes: Int

  /// - Parameters:
  ///   - traces: The values of each trace, none empty.
  init(_ traces: [[Double]]) {
    let pooled = traces.enumerated()
      .flatMap { trace, values in values.map { (value: $0, trace: Int32(trace)) } }
      .sorted { ($0.value, $0.trace) < ($1.value, $1.trace) }
    values = pooled.map(\.value)
    owners = pooled.map(\.trace)
    counts = traces.map(\.count)
    lanes = (traces.count + 7) / 8
    // The block is short enough to be cheap next to adding up the traces, and long enough to keep
    // the table small.
    blockLength = max(64, min(traces.count, 256), values.count * traces.count / 8_000_000)
    blockCount = (values.count + blockLength - 1) / blockLength
    var row = [SIMD8<Double>](repeating: .zero, count: lanes)
    var table = row
    table.reserveCapacity((blockCount + 1) * lanes)
    for (index, owner) in owners.enumerated() {
      row[Int(owner) / 8][Int(owner) % 8] += 1
      if (index + 1) % blockLength == 0 || index + 1 == owners.count { table += row }
    }
    passed = table
  }

  /// The number of times that each trace was drawn.
  struct Draw {
    fileprivate(set) var times: [Int32]
    fileprivate var lanes: [SIMD8<Double>]
    /// The number of values of all drawn traces.
    fileprivate(set) var total: Int
  }

  /// Returns a draw of every trace once.
  var eachOnce: Draw { draw([Int32](repeating: 1, count: counts.count)) }

  /// Returns a draw of each trace a number of times.
  func draw(_ times: [Int32]) -> Draw {
    var draw = Draw(times: times, lanes: Array(repeating: .zero, count: lanes), total: 0)
    for (trace, count) in times.enumerated() {
      draw.lanes[trace / 8][trace % 8] = Double(count)
      draw.total += Int(count) * counts[trace]
    }
    return draw
  }

  /// Returns the number of each trace's values up to a limit, less a share of all of them.
  func deviations(upTo limit: Double, share: Double) -> [Double] {
    var counted = counts.map { -share * Double($0) }
    for (value, owner) in zip(values, owners) {
      guard value <= limit else { break }
      counted[Int(owner)] += 1
    }
    return counted
  }

  /// Returns a quantile (type 7) of the values of drawn traces.
  ///
  /// - Parameters:
  ///   - share: The share, from 0 to 1.
  ///   - block: The first block to search, which is set to the block found, because the next draw's
  ///     is close to it.
  func quantile(_ share: Double, of draw: Draw, near block: inout Int) -> Double {
    let rank = QuantileRank(share, count: draw.total)
    var seen = start(of: rank.lower, in: draw, near: &block)
    var index = block * blockLength - 1
    // Ranks are below the count, so both are reached.
    while seen <= rank.lower {
      index += 1
      seen += Int(draw.times[Int(owners[index])])
    }
    let lower = values[index]
    while seen <= rank.upper {
      index += 1
      seen += Int(draw.times[Int(owners[index])])
    }
    return rank.interpolate(lower, values[index])
  }

  /// Moves to the block that contains a rank, and returns the number of values of the draw before
  /// it.
  private func start(of rank: Int, in draw: Draw, near block: inout Int) -> Int {
    // The start of block `low` is not beyond the rank; that of block `high` is.
    var (low, high) = (0, blockCount)
    var before = 0
    var middle = min(max(block, 0), blockCount - 1)
    var stride = 1
    while true {
      let count = self.before(middle, in: draw)
      if count <= rank {
        (low, before) = (middle, count)
      } else {
        high = middle
      }
      guard high - low > 1 else { break }
      // Strides grow until the rank is between two blocks; then they are halved.
      if low == middle, middle + stride < high {
        middle += stride
      } else if high == middle, middle - stride > low {
        middle -= stride
      } else {
        middle = low + (high - low) / 2
      }
      stride *= 2
    }
    block = low
    return before
  }

  /// Returns the number of values of the draw before a block.
  private func before(_ block: Int, in draw: Draw) -> Int {
    let row = block * lanes
    var sum = SIMD8<Double>.zero
    for lane in 0..<lanes { sum += passed[row + lane] * draw.lanes[lane] }
    return Int(sum.sum())
  }
}
