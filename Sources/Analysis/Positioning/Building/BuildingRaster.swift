import Geometry
import NumericalMethods
import RealModule
import Support

/// The map of a building over its floors, cell by cell, for pictures and tables.
///
/// All arrays of cells are by floor, row by row from the lower left corner; NaN where people cannot
/// be. The accuracy is that of windows drawn from the map, as ``SimulatedErrors`` has it for a plane.
/// A window at a cell has Poisson numbers of packets of each anchor, whose rates have gains of their
/// own and one in common, as in the survey. Levels deviate by the error of the map, by the place and
/// by the packets. `gaussian-process` answers the window.
///
/// ```swift
/// let raster = BuildingRaster(map, survey: survey)
/// let accuracy = raster.expectedAccuracy()
/// print(accuracy[0].rightFloor.filter(\.isFinite).min() ?? .nan)
/// ```
package struct BuildingRaster: Sendable {
  /// The expected accuracy of the answers to windows, by cell of a floor.
  package struct Accuracy: Sendable {
    /// The root mean square error of answers on the right floor, in metres.
    package var errors: [Double]
    /// The share of answers on the right floor, from 0 to 1.
    package var rightFloor: [Double]
  }

  /// The cells of each floor.
  package let grids: [CellGrid]
  private let map: BuildingMap
  /// The duration of a typical window of the survey, and the packets of a typical level.
  private let seconds: Double, packets: Double
  /// The variances of the gains of the rates in a window, of an anchor and of all together.
  private var ownGain = 0.0, commonGain = 0.0
  /// The anchors in reach of each floor.
  private let reaches: [[(anchor: Int, patch: BuildingMap.Patch)]]

  /// The largest number of windows per cell, and about the largest of all windows.
  private static let (mostDraws, mostWindows) = (20, 40_000)
  /// The largest number of packets of an anchor in a window; more are hardly more precise.
  private static let mostPackets = 200.0

  /// - Parameter survey: The survey from which the map was learned.
  package init(_ map: BuildingMap, survey: [SurveyPoint]) {
    self.map = map
    func middle(_ values: [Double]) -> Double {
      values.isEmpty ? 1 : values.sorted()[values.count / 2]
    }
    seconds = middle(survey.map(\.seconds).filter { $0 > 0 })
    packets = middle(survey.flatMap { $0.levels.map { Double($0.packets) } })
    let side = map.cells.side
    grids = map.cells.lattices.map { lattice in
      CellGrid(
        origin: Point(x: lattice.origin.x - side / 2, y: lattice.origin.y - side / 2), cell: side,
        columns: lattice.columns, rows: lattice.rows)
    }
    reaches = map.cells.lattices.map { lattice in
      map.patches.enumerated().flatMap { anchor, patches in
        patches.filter { lattice.cells.contains($0.area.first) }.map { (anchor, $0) }
      }
    }
    learnGains(from: survey)
  }

  /// Estimates the variances of the gains by the moments of the counts of packets n in the windows of
  /// a survey, with the expected ones μ: n - μ of an anchor has the variance μ + (v + w) μ², and the
  /// sum over anchors Σ μ + v Σ μ² + w (Σ μ)², for the variances v of an anchor's own gain and w of
  /// the common one.
  private mutating func learnGains(from survey: [SurveyPoint]) {
    var (own, ownSquares, sum, sumSquares) = (0.0, 0.0, 0.0, 0.0)
    for point in survey where grids.indices.contains(point.floor) {
      let place = point.stretch?.centre ?? point.place
      guard point.seconds > 0, let cell = map.cells.cell(at: place, on: point.floor) else {
        continue
      }
      let counts = Dictionary(
        point.levels.map { ($0.anchor, Double($0.packets)) }, uniquingKeysWith: +)
      var (all, expected) = (0.0, 0.0)
      forEachAnchor(at: cell, on: point.floor) { anchor, patch, index in
        let mean = Double.exp(Double(patch.logRates[index])) * point.seconds
        let count = counts[anchor] ?? 0
        own += (count - mean) * (count - mean) - mean
        ownSquares += mean * mean
        all += count
        expected += mean
      }
      sum += (all - expected) * (all - expected) - expected
      sumSquares += expected * expected
    }
    guard ownSquares > 0 else { return }
    let total = max(own / ownSquares, 0)
    commonGain =
      sumSquares > ownSquares
      ? min(max((sum - total * ownSquares) / (sumSquares - ownSquares), 0), total) : 0
    ownGain = total - commonGain
  }

  /// Calls a closure with each anchor in reach of a cell, and the place of the cell in its patch.
  private func forEachAnchor(
    at cell: Int, on floor: Int, _ body: (Int, BuildingMap.Patch, Int) -> Void
  ) {
    for (anchor, patch) in reaches[floor] {
      let (column, row) = patch.area.position(of: cell)
      guard (0..<patch.area.columns).contains(column), (0..<patch.area.rows).contains(row) else {
        continue
      }
      body(anchor, patch, row * patch.area.columns + column)
    }
  }

  /// Returns values of the cells of a floor, NaN where people cannot be.
  private func values(on floor: Int, _ value: (Int) -> Double) -> [Double] {
    map.cells.lattices[floor].cells.map { map.cells.isOpen[$0] > 0 ? value($0) : .nan }
  }

  /// Returns the expected number of anchors received in a window, by cell of a floor.
  package func received(on floor: Int) -> [Double] {
    var counts = [Double](repeating: 0, count: grids[floor].count)
    let first = map.cells.lattices[floor].first
    for (_, patch) in reaches[floor] {
      patch.area.forEachRow { start, row in
        for column in 0..<patch.area.columns {
          let rate = Double.exp(Double(patch.logRates[row * patch.area.columns + column]))
          counts[start + column - first] -= Double.expMinusOne(-rate * seconds)
        }
      }
    }
    return values(on: floor) { counts[$0 - first] }
  }

  /// Returns the levels of an anchor on a floor, or `nil` if it was not received there.
  package func layer(anchor: Int, on floor: Int) -> RadioMapRaster.Layer? {
    guard let patch = reaches[floor].first(where: { $0.anchor == anchor })?.patch else {
      return nil
    }
    let noise = map.noise(packets: packets)
    let unknown = BuildingMap.unknownVariance(map.variation)
    let blank = [Double](repeating: .nan, count: grids[floor].count)
    var layer = RadioMapRaster.Layer(
      level: blank, deviation: blank, explained: blank.map { _ in 0 }, open: blank)
    let first = map.cells.lattices[floor].first
    patch.area.forEachRow { start, row in
      for column in 0..<patch.area.columns where map.cells.isOpen[start + column] > 0 {
        let (index, cell) = (row * patch.area.columns + column, start + column - first)
        let variance = Double(patch.variances[index])
        layer.level[cell] = Double(patch.means[index])
        layer.open[cell] = variance
        layer.deviation[cell] = (variance + noise).squareRoot()
        layer.explained[cell] = max(1 - variance / unknown, 0)
      }
    }
    return layer
  }

  /// Returns the expected accuracy by floor, over the windows in a cell and in those around it.
  ///
  /// The work on all cores is that of about 40,000 answers; in a larger building, windows are drawn
  /// in every second or third cell. The result is deterministic, because each cell has its own seed.
  ///
  /// - Parameter done: A closure that receives the number of completed ``windows``.
  package func expectedAccuracy(
    done: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> [Accuracy] {
    let (jobs, draws, step) = (jobs, draws, step)
    @Sendable func report(_ jobs: Int) { done(jobs * draws) }
    let found = parallel(jobs.count, done: report) { number in
      let job = jobs[number]
      var random = RandomStream(SplitMix64(seed: UInt64(job.cell)))
      return (0..<draws).reduce(into: Score()) { sum, _ in
        sum.add(map.answer(scan(at: job.cell, on: job.floor, &random)), job, in: map.cells)
      }
    }
    var scores = [Score](repeating: Score(), count: map.cells.count)
    for (job, score) in zip(jobs, found) { scores[job.cell] = score }
    let reach = max(1, step / 2)
    return grids.indices.map { floor in
      let lattice = map.cells.lattices[floor]
      let around = lattice.cells.map { cell in
        guard map.cells.isOpen[cell] > 0 else { return Score() }
        // The margin of closed cells is as wide.
        return (-reach...reach).reduce(into: Score()) { sum, row in
          for column in -reach...reach {
            let other = cell + row * lattice.columns + column
            if lattice.cells.contains(other) { sum.add(scores[other]) }
          }
        }
      }
      return Accuracy(errors: around.map(\.error), rightFloor: around.map(\.rightFloor))
    }
  }

  private var open: Int { map.cells.isOpen.count { $0 > 0 } }

  /// The number of windows per cell.
  private var draws: Int { max(1, min(Self.mostDraws, Self.mostWindows / max(open, 1))) }

  /// The number of columns and rows from a cell in which windows are drawn to the next.
  private var step: Int {
    max(1, Int((Double(open) / Double(Self.mostWindows)).squareRoot().rounded(.up)))
  }

  /// The number of windows that are drawn.
  package var windows: Int { jobs.count * draws }

  /// The cells in which windows are drawn.
  private var jobs: [(floor: Int, cell: Int)] {
    let step = step
    return map.cells.lattices.enumerated().flatMap { floor, lattice in
      lattice.cells.filter { cell in
        let (row, column) = (cell - lattice.first).quotientAndRemainder(dividingBy: lattice.columns)
        return map.cells.isOpen[cell] > 0 && row % step == 0 && column % step == 0
      }.map { (floor, $0) }
    }
  }

  /// The sums of the answers to windows.
  private struct Score: Sendable {
    private var squares = 0.0
    private var right = 0.0
    private var all = 0.0

    var error: Double { right > 0 ? (squares / right).squareRoot() : .nan }
    var rightFloor: Double { all > 0 ? right / all : .nan }

    mutating func add(_ other: Score) {
      squares += other.squares
      right += other.right
      all += other.all
    }

    mutating func add(_ outcome: Outcome, _ truth: (floor: Int, cell: Int), in cells: FloorCells) {
      guard let estimate = outcome.estimate else { return }
      all += 1
      guard estimate.floor == truth.floor else { return }
      right += 1
      let error = estimate.position.distance(to: cells.centre(of: truth.cell, on: truth.floor))
      squares += error * error
    }
  }

  private func scan(
    at cell: Int, on floor: Int, _ random: inout RandomStream<SplitMix64>
  ) -> Scan {
    let common = random.gamma(variance: commonGain)
    var observations: [Observation] = []
    forEachAnchor(at: cell, on: floor) { anchor, patch, index in
      let rate = Double.exp(Double(patch.logRates[index])) * random.gamma(variance: ownGain)
      let packets = random.poisson(min(common * rate * seconds, Self.mostPackets))
      guard packets > 0 else { return }
      let variance = Double(patch.variances[index]) + map.noise(packets: Double(packets))
      observations.append(
        Observation(
          .unknown, number: anchor,
          rssi: Double(patch.means[index]) + variance.squareRoot() * random.gaussian(),
          packets: packets))
    }
    return Scan(instant: Int64(seconds * 1e9), start: 0, observations: observations)
  }
}

extension RandomStream where Generator == SplitMix64 {
  /// Returns a number of a gamma distribution with the mean 1.
  ///
  /// Source: Marsaglia and Tsang, "A simple method for generating gamma variables", ACM Transactions
  /// on Mathematical Software 26 (2000).
  fileprivate mutating func gamma(variance: Double) -> Double {
    guard variance > 1e-6 else { return 1 }
    let shape = 1 / variance
    // A shape below 1 is that of a larger one times a power of a uniform number.
    let d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3
    while true {
      let x = gaussian()
      let cube = 1 + x / (9 * d).squareRoot()
      let v = cube * cube * cube
      let u = 1 - uniform()
      guard v > 0, Double.log(u) < 0.5 * x * x + d * (1 - v + Double.log(v)) else { continue }
      return d * v * variance * (shape < 1 ? Double.pow(1 - uniform(), variance) : 1)
    }
  }

  /// Returns a number of events of a mean of at most some hundreds, by multiplied uniform numbers.
  ///
  /// Source: Knuth, "The art of computer programming", volume 2, section 3.4.1.
  fileprivate mutating func poisson(_ mean: Double) -> Int {
    let end = Double.exp(-mean)
    var (count, product) = (0, uniform())
    while product > end {
      count += 1
      product *= uniform()
    }
    return count
  }
}
