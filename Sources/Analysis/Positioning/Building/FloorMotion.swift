import Geometry
import RealModule

/// The motion of a person through the cells of a building, in steps of some seconds.
///
/// A person stands, or walks in one of eight directions, keeps the direction or turns, and changes
/// floor at connections. There is a weight per state and cell, one state after the other.
struct FloorMotion: Sendable {
  /// The duration of a step in seconds, in which a person walks through less than a cell.
  let stepSeconds: Double
  private let cells: FloorCells
  private let prior: [Float]
  /// The shifts of each state with their weights.
  private let kernels: [[Shift]]
  /// The reciprocal of the weight with which each cell is left, by state.
  private let shares: [[Float]]
  private let passages: [Passage]
  /// The probability of a jump in a step.
  private let jump: Float

  private struct Shift {
    var columns: Int
    var rows: Int
    var weight: Float
  }

  /// A way from cells near one end of a connection to those near another.
  private struct Passage {
    var from: [Int]
    var to: [Int]
  }

  /// The states: eight directions, anticlockwise from x, and standing.
  static let states = 9
  private static let directions = 8

  /// The mean shift of a step and its standard deviation in cells, and that of a person who stands:
  /// 1.1 m/s and 0.9 m/√s, at cells of 2.5 m and steps of 2 s.
  private static let (shift, deviation, sway) = (0.88, 0.52, 0.25)
  /// The relative probabilities of a turn by 0°, 45°, 90°, 135° and 180° in a step.
  private static let turns: [Float] = [0.75, 0.09, 0.02, 0.01, 0.02]
  /// The probabilities of a step to stop and to go on.
  private static let (stop, start): (Float, Float) = (0.02, 0.2)
  /// The smallest share of the full weight with which a cell is left: near walls people turn, and
  /// are not lost.
  private static let leastShare: Float = 0.35
  /// The distance in metres from an end of a connection at which people enter it, and the
  /// probability to do so in a step.
  private static let (doorway, entry): (Double, Float) = (4, 0.15)
  /// The probability of a jump to any place in a step, with known connections and without: of
  /// changes that the model does not have.
  private static let (jumpBesideConnections, jumpAnywhere): (Float, Float) = (1e-4, 1e-3)

  init(on map: BuildingMap) {
    let cells = map.cells
    self.cells = cells
    prior = map.prior
    stepSeconds = 2 * cells.side / FloorCells.usualSide
    let kernels = (0..<Self.states).map(Self.kernel)
    self.kernels = kernels
    shares = kernels.map { kernel in
      let full = kernel.reduce(0) { $0 + $1.weight }
      var reached = [Float](repeating: 0, count: cells.count)
      for shift in kernel {
        cells.add(
          cells.isOpen, to: &reached, weight: shift.weight, columns: -shift.columns,
          rows: -shift.rows)
      }
      return reached.indices.map {
        cells.isOpen[$0] > 0 ? 1 / max(reached[$0], Self.leastShare * full) : 0
      }
    }
    let ends = map.building.connections.map { connection in
      connection.ends.filter { cells.lattices.indices.contains($0.floor) }.map {
        cells.openCells(within: Self.doorway, of: $0.place, on: $0.floor)
      }.filter { !$0.isEmpty }
    }
    passages = ends.flatMap { ends in
      ends.indices.flatMap { from in
        ends.indices.filter { $0 != from }.map { Passage(from: ends[from], to: ends[$0]) }
      }
    }
    jump = passages.isEmpty ? Self.jumpAnywhere : Self.jumpBesideConnections
  }

  private static func kernel(of state: Int) -> [Shift] {
    let angle = Double(state) * .pi / 4
    let isWalking = state < directions
    let deviation = isWalking ? deviation : sway
    let length = isWalking ? shift : 0
    let mean = (x: length * Double.cos(angle), y: length * Double.sin(angle))
    let reach = -FloorCells.margin...FloorCells.margin
    return reach.flatMap { row in
      reach.compactMap { column in
        let (x, y) = (Double(column) - mean.x, Double(row) - mean.y)
        let distance = (x * x + y * y) / (deviation * deviation)
        guard distance < 18 else { return nil }
        return Shift(columns: column, rows: row, weight: Float(Double.exp(-0.5 * distance)))
      }
    }
  }

  /// The weights before anything is received.
  var start: [Float] {
    let each = prior.map { $0 / Float(Self.states) }
    return (0..<Self.states).flatMap { _ in each }
  }

  /// Moves weights forward by a step, and scales them to a sum of 1.
  func advance(_ weights: inout [Float]) {
    let turned = turned(weights, isForward: true)
    for state in 0..<Self.states {
      var left = turned[state]
      for cell in left.indices { left[cell] *= shares[state][cell] }
      var arrived = [Float](repeating: 0, count: cells.count)
      for shift in kernels[state] {
        cells.add(
          left, to: &arrived, weight: shift.weight, columns: shift.columns, rows: shift.rows)
      }
      for cell in arrived.indices { arrived[cell] *= cells.isOpen[cell] }
      for passage in passages { Self.pass(&arrived, passage) }
      weights.replaceSubrange(state * cells.count..<(state + 1) * cells.count, with: arrived)
    }
    let total = weights.reduce(0, +)
    guard total > 0 else {
      weights = start
      return
    }
    let kept = (1 - jump) / total
    let jumped = jump / Float(Self.states)
    for state in 0..<Self.states {
      for cell in prior.indices {
        weights[state * prior.count + cell] =
          kept * weights[state * prior.count + cell] + jumped * prior[cell]
      }
    }
  }

  private static func pass(_ weights: inout [Float], _ passage: Passage) {
    var moved: Float = 0
    for cell in passage.from {
      moved += entry * weights[cell]
      weights[cell] *= 1 - entry
    }
    for cell in passage.to { weights[cell] += moved / Float(passage.to.count) }
  }

  /// Moves the likelihoods of what follows back by a step: the transpose of ``advance(_:)`` without
  /// the scale.
  func retreat(_ likelihoods: inout [Float]) {
    let mean =
      (0..<Self.states).reduce(Float(0)) { sum, state in
        prior.indices.reduce(sum) { $0 + prior[$1] * likelihoods[state * prior.count + $1] }
      } / Float(Self.states)
    var states: [[Float]] = []
    for state in 0..<Self.states {
      var source = Array(likelihoods[state * cells.count..<(state + 1) * cells.count])
      for passage in passages.reversed() { Self.unpass(&source, passage) }
      for cell in source.indices { source[cell] *= cells.isOpen[cell] }
      var seen = [Float](repeating: 0, count: cells.count)
      for shift in kernels[state] {
        cells.add(
          source, to: &seen, weight: shift.weight, columns: -shift.columns, rows: -shift.rows)
      }
      for cell in seen.indices { seen[cell] *= shares[state][cell] }
      states.append(seen)
    }
    let turned = turned(states.flatMap(\.self), isForward: false)
    for state in 0..<Self.states {
      for cell in prior.indices {
        likelihoods[state * prior.count + cell] = (1 - jump) * turned[state][cell] + jump * mean
      }
    }
  }

  private static func unpass(_ likelihoods: inout [Float], _ passage: Passage) {
    let there = passage.to.reduce(0) { $0 + likelihoods[$1] } / Float(passage.to.count)
    for cell in passage.from {
      likelihoods[cell] += entry * (there - likelihoods[cell])
    }
  }

  /// Returns the weights of the states after a change of state, or before it.
  private func turned(_ weights: [Float], isForward: Bool) -> [[Float]] {
    let count = cells.count
    return (0..<Self.states).map { state in
      var sum = [Float](repeating: 0, count: count)
      for other in 0..<Self.states {
        let share =
          isForward
          ? Self.probability(of: state, after: other) : Self.probability(of: other, after: state)
        for cell in 0..<count { sum[cell] += share * weights[other * count + cell] }
      }
      return sum
    }
  }

  private static let sumOfTurns = turns[0] + 2 * (turns[1] + turns[2] + turns[3]) + turns[4]

  private static func probability(of state: Int, after previous: Int) -> Float {
    switch (state < directions, previous < directions) {
    case (true, true):
      let turn = abs(state - previous)
      return (1 - stop) * turns[min(turn, directions - turn)] / sumOfTurns
    case (false, true): return stop
    case (true, false): return start / Float(directions)
    case (false, false): return 1 - start
    }
  }
}

extension FloorCells {
  /// Adds weighted values of cells to the cells at a shift.
  ///
  /// - Precondition: Values in the margins are zero, or those that leave a floor may be wrong.
  func add(
    _ values: [Float], to sums: inout [Float], weight: Float, columns: Int, rows: Int
  ) {
    for lattice in lattices {
      let offset = rows * lattice.columns + columns
      let target = (lattice.first + max(offset, 0))..<(lattice.cells.upperBound + min(offset, 0))
      guard !target.isEmpty else { continue }
      for cell in target { sums[cell] += weight * values[cell - offset] }
    }
  }
}
