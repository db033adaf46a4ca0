import Geometry
import NumericalMethods
import RealModule
import Support

/// The errors of positions from scans that are drawn from a radio map, cell by cell.
///
/// A scan has the levels and the packets of a device at rest in a cell, as the map expects them: a
/// level deviates from the map by the error of the map, by the offset of a new recording and by the
/// place, partly in common with all anchors, and packets fade and are lost. `gaussian-process`
/// answers it. Unlike a bound from the slopes of the levels (Cramér and Rao), the error includes
/// the ambiguity of distant places and the borders of the site.
///
/// The result is deterministic, because each cell has its own seed.
struct SimulatedErrors {
  private let raster: RadioMapRaster
  private let surroundings: Surroundings
  private let algorithm: PosteriorMean
  /// The cells in which an anchor is known.
  private let cells: [Int]
  /// The number of scans per cell.
  let draws: Int
  /// The largest number of packets of an anchor in a simulated scan; more are hardly more precise.
  private static let mostPackets = 200.0

  /// The duration of a scan, in seconds.
  private let seconds: Double

  /// The largest number of scans per cell.
  static let mostDraws = 20
  /// The largest number of levels of all scans, unless there is only one scan per cell.
  static let mostLevels = 160_000
  /// The largest number of cells of the grid on which scans are answered.
  static let mostGridCells = 1000.0
  /// The number of cells whose scans are answered together, with the same tables of levels.
  private static let blockCells = 64

  private var map: RadioMap { raster.map }

  init(_ raster: RadioMapRaster, _ surroundings: Surroundings) {
    self.raster = raster
    var plane = surroundings
    plane.dimensions = .plane
    plane.radioMap = raster.map
    self.surroundings = plane
    let area = plane.searchBounds?.area ?? 0
    algorithm = PosteriorMean(onMapWithCells: (area / Self.mostGridCells).squareRoot())
    cells = (0..<raster.grid.count).filter { cell in
      raster.layers.contains { $0?.isKnown(cell) ?? false }
    }
    let levels = max(cells.count * raster.layers.count { $0 != nil }, 1)
    draws = min(Self.mostDraws, max(1, Self.mostLevels / levels))
    let fastest = surroundings.anchors.compactMap(\.reception?.rate).max() ?? 0
    seconds = fastest > 0 ? min(raster.map.packets / fastest, 3600) : 1
  }

  /// Returns the root mean square error by cell, in metres, over the scans in the cell and in those
  /// around it.
  ///
  /// The work on all cores is that of ``mostLevels`` levels on ``mostGridCells`` cells, each for
  /// the nodes of the common offset.
  func all(done: @escaping @Sendable (Int) -> Void) -> [Double] {
    let step = Self.blockCells
    let count = cells.count
    @Sendable func report(_ blocks: Int) { done(min(blocks * step, count)) }
    let blocks = parallel((count + step - 1) / step, done: report) { block in
      squares(cells[(block * step)..<min((block + 1) * step, count)])
    }
    var sums = [SIMD2<Double>](repeating: .zero, count: raster.grid.count)
    for (cell, sum) in zip(cells, blocks.joined()) { sums[cell] = sum }
    return sums.indices.map { cell in
      guard sums[cell].y > 0 else { return .nan }
      var total = SIMD2<Double>.zero
      for row in Self.around(cell / raster.grid.columns, of: raster.grid.rows) {
        for column in Self.around(cell % raster.grid.columns, of: raster.grid.columns) {
          total += sums[row * raster.grid.columns + column]
        }
      }
      return (map.dispersion * total.x / total.y).squareRoot()
    }
  }

  private static func around(_ number: Int, of count: Int) -> ClosedRange<Int> {
    max(number - 1, 0)...min(number + 1, count - 1)
  }

  /// Returns the sum of squared errors in each cell, in m², and the number of answers.
  private func squares(_ cells: ArraySlice<Int>) -> [SIMD2<Double>] {
    let scans = cells.flatMap { cell in
      var random = RandomStream(SplitMix64(seed: UInt64(cell)))
      return (0..<draws).map { _ in scan(at: cell, &random) }
    }
    let outcomes = algorithm.locate(scans, in: surroundings)
    let places = raster.grid.places
    return cells.enumerated().map { index, cell in
      outcomes[(index * draws)..<((index + 1) * draws)].reduce(into: SIMD2.zero) { sum, outcome in
        guard let estimate = outcome.estimate else { return }
        let error = estimate.position.distance(to: places[cell])
        sum += [error * error, 1]
      }
    }
  }

  private func scan(at cell: Int, _ random: inout RandomStream<SplitMix64>) -> Scan {
    let common = map.commonVariance.squareRoot() * random.gaussian()
    var observations: [Observation] = []
    for (number, layer) in raster.layers.enumerated() {
      guard let layer else { continue }
      let own = max(layer.open[cell] + map.variation.noiseOfPlaces - map.commonVariance, 0)
      let level = layer.level[cell] + common + own.squareRoot() * random.gaussian()
      let anchor = surroundings.anchors[number]
      guard let mean = received(level, anchor, &random) else { continue }
      observations.append(
        Observation(anchor, number: number, rssi: mean.rssi, packets: mean.packets))
    }
    return Scan(instant: Int64(seconds * 1e9), start: 0, observations: observations)
  }

  /// Draws the packets of an anchor from its true level at the place; returns `nil` for silence.
  private func received(
    _ level: Double, _ anchor: Anchor, _ random: inout RandomStream<SplitMix64>
  ) -> (rssi: Double, packets: Int)? {
    let deviation = map.variation.packetNoise
    if map.reception.byMap == nil, let reception = anchor.reception {
      let sent = Int(min(reception.rate * seconds, Self.mostPackets).rounded(.up))
      let levels = (0..<sent).map { _ in level + deviation * random.gaussian() }
        .filter { $0 > reception.sensitivity }
      guard !levels.isEmpty else { return nil }
      return (levels.reduce(0, +) / Double(levels.count), levels.count)
    }
    let packets =
      map.reception.byMap.map {
        $0.draw(
          level: level, of: Int(min(map.reception.packets, Self.mostPackets).rounded()), &random)
      } ?? max(Int(map.packets.rounded()), 1)
    guard packets > 0 else { return nil }
    return (level + deviation / Double(packets).squareRoot() * random.gaussian(), packets)
  }
}

extension ReceptionCounts {
  /// Draws the number of packets received of those sent, at a true level.
  ///
  /// Pólya's urn gives a beta-binomial number: each packet that is received makes the next more
  /// likely. Source: Johnson, Kemp and Kotz, "Univariate discrete distributions", 2005, chapter 6.
  fileprivate func draw(
    level: Double, of sent: Int, _ random: inout RandomStream<SplitMix64>
  ) -> Int {
    let mean = share / (1 + Double.exp((middle - level) / width))
    return (0..<sent).reduce(0) { received, packet in
      let odds = (concentration * mean + Double(received)) / (concentration + Double(packet))
      return received + (random.uniform() < odds ? 1 : 0)
    }
  }
}
