import CParticles
import Geometry
import NumericalMethods
import RealModule

/// Weighted particles: hypotheses of the place and speed of a walking target and of the errors of
/// its levels.
///
/// Given its path, a particle's shadowings and the offset of all links are normal, so each is a
/// scalar Kalman filter instead of a sample (Rao–Blackwell; ``LinkBeliefs``). Source: Arulampalam
/// et al., "A tutorial on particle filters", IEEE T-SP 50 (2002); Schön, Gustafsson and Nordlund,
/// "Marginalized particle filters", IEEE T-SP 53 (2005).
///
/// Particles are processed in blocks of eight, by the kernels of CParticles where levels are concerned.
struct ParticleCloud {
  var blocks: [ParticleBlock] = []
  /// The beliefs of each column, block by block.
  var beliefs: [[LinkBeliefs]]
  /// The path lengths at which each column was last received.
  var ways: LinkWays
  /// The normalised weights of the particles, computed by ``weigh()``.
  var weights: [SIMD8<Float>]
  var numbers: VectorStream
  let area: WalkableArea
  let motion: ParticleMotion
  let curveError: CurveError?
  /// The particles' places at times of open questions.
  var pasts: [Int64: [PlaceBlock]] = [:]
  var time: Int64

  /// Spreads particles evenly over the area.
  ///
  /// - Parameters:
  ///   - count: The number of particles, rounded up to whole blocks.
  ///   - offsetVariance: The variance of the offset common to all links, in dB².
  ///   - curveError: The error that their curves share in addition.
  init(
    _ count: Int, columns: Int, in area: WalkableArea, motion: ParticleMotion,
    offsetVariance: Double, curveError: CurveError?, numbers: VectorStream, time: Int64
  ) {
    self.curveError = curveError
    self.area = area
    self.motion = motion
    self.numbers = numbers
    self.time = time
    let size = (count + 7) / 8
    beliefs = Array(repeating: Array(repeating: LinkBeliefs(), count: size), count: columns)
    ways = LinkWays(links: columns, blocks: size)
    weights = Self.equalWeights(size)
    let unknown = OffsetBeliefs(variance: SIMD8(repeating: Float(offsetVariance)))
    for _ in 0..<size {
      let place = somewhere()
      let (x, y) = self.numbers.gaussianPair()
      var block = ParticleBlock(
        place: place, logSpeed: motion.someLogSpeed(&self.numbers),
        walks: motion.someWalk(&self.numbers), offset: unknown)
      let deviation = block.logSpeed.exponential * block.walks * Float(0.5.squareRoot())
      (block.velocityX, block.velocityY) = (deviation * x, deviation * y)
      if let curveError {
        block.exponentError =
          self.numbers.gaussianPair().0 * Float(curveError.exponentVariance.squareRoot())
        block.offset.mean = block.exponentError * Float(curveError.slope)
      }
      blocks.append(block)
    }
  }

  /// Returns random places in the area, or in its bounds if the rooms are too small to be hit.
  private mutating func somewhere() -> PlaceBlock {
    let (low, high) = (area.bounds.minimum, area.bounds.maximum)
    let (width, depth) = (Float(high.x - low.x), Float(high.y - low.y))
    var place = PlaceBlock(x: .zero, y: .zero, height: .zero)
    if let heights = area.heights {
      let tallness = Float(heights.upperBound - heights.lowerBound)
      place.height = numbers.uniform() * tallness + Float(heights.lowerBound)
    }
    var isInside = SIMDMask<SIMD8<Int32>>(repeating: false)
    for _ in 0..<200 {
      place.x.replace(with: numbers.uniform() * width, where: .!isInside)
      place.y.replace(with: numbers.uniform() * depth, where: .!isInside)
      isInside = area.contains(place)
      if all(isInside) { break }
    }
    return place
  }

  // MARK: Levels

  /// A level of a column.
  struct Level {
    var level: TrackedTrace.Level
    var column: Int
    /// The exponent of the likelihood in the weight of a particle.
    var temper: Double
  }

  /// Weights the particles by the levels of a moment; returns the sum, over the levels, of the
  /// weights of those particles to which a level is not an outlier.
  mutating func hear(_ levels: [Level], _ links: MeasurementModel) -> Double {
    var decays = [[ShadowingDecay]](repeating: [], count: ways.moments)
    var fitting = 0.0
    for level in levels {
      let moment = ways.moment(of: level.column)
      if decays[moment].isEmpty {
        decays[moment] = ways.decays(
          from: moment, to: blocks, nearDistance: Float(links.nearDistance))
      }
      fitting += hear(level, decays[moment], links)
    }
    ways.receive(levels.lazy.map(\.column), at: blocks)
    return fitting
  }

  private mutating func hear(
    _ level: Level, _ decays: [ShadowingDecay], _ links: MeasurementModel
  ) -> Double {
    let (anchor, packets) = (level.level.anchor, level.level.packets)
    var field = links.field(of: anchor, packets: packets, from: area.bounds.minimum)
    field.constants.rssi = Float(level.level.rssi)
    field.constants.temper = Float(level.temper)
    var fitting = [Float](repeating: 0, count: 8)
    unsafe cparticles_hear(
      &field.constants, blocks.count, &blocks, &beliefs[level.column], decays,
      field.shadowings(at: blocks), weights, &fitting)
    return Double(SIMD8(fitting).sum())
  }

  /// Weights the particles by an anchor's silence.
  ///
  /// - Parameter column: The column of the anchor; `nil` if it is never received.
  mutating func hearNothing(
    of anchor: Int, _ reception: Anchor.Reception, column: Int?, seconds: Double,
    _ links: MeasurementModel
  ) {
    let field = links.field(of: anchor, packets: 1, from: area.bounds.minimum)
    // Silences at one place share its shadowing, as levels do.
    let expected = expectation(field, column: column, links)
    let event = LevelIndependence(speed: motion.usualSpeed).silence(for: seconds)
    for (index, level) in expected.enumerated() {
      for lane in 0..<8 {
        blocks[index].logWeight[lane] += Float(
          event.worth
            * reception.logSilence(
              level: Double(level.mean[lane]),
              sigma: Double(level.variance[lane]).squareRoot(), seconds: event.seconds))
      }
    }
  }

  /// Weights the particles by the number of an anchor's packets received at a stop.
  ///
  /// - Parameter column: The column of the anchor; `nil` if it is never received.
  mutating func hear(
    _ costs: ReceptionCosts, of anchor: Int, _ counts: ReceptionCounts, column: Int?,
    _ links: MeasurementModel
  ) {
    guard links.anchors.indices.contains(anchor) else { return }
    var field = links.field(of: anchor, packets: 1, from: area.bounds.minimum)
    field.constants.packet = 0
    let (middle, width) = (Float(counts.middle), Float(counts.width))
    for (index, level) in expectation(field, column: column, links).enumerated() {
      let score =
        (level.mean - middle) / (width * width + .pi / 8 * level.variance.most(0)).root
      for lane in 0..<8 { blocks[index].logWeight[lane] -= costs.cost(atScore: score[lane]) }
    }
  }

  /// The expected level of a link in eight particles: normal.
  private struct ExpectedLevel {
    /// The mean, in dBm.
    var mean = SIMD8<Float>.zero
    /// The variance, in dB².
    var variance = SIMD8<Float>.zero
  }

  /// Returns the expected level at the present places.
  ///
  /// - Parameter column: The column of the link; `nil` if it was never received.
  private func expectation(
    _ field: LevelField, column: Int?, _ links: MeasurementModel
  ) -> [ExpectedLevel] {
    var constants = field.constants
    let nearDistance = Float(links.nearDistance)
    let decays =
      column.map { ways.decays(from: ways.moment(of: $0), to: blocks, nearDistance: nearDistance) }
      ?? blocks.map { _ in ShadowingDecay(over: .zero, nearDistance: nearDistance) }
    var expected = [ExpectedLevel](repeating: ExpectedLevel(), count: blocks.count)
    unsafe cparticles_expect(
      &constants, blocks.count, blocks,
      column.map { beliefs[$0] } ?? blocks.map { _ in LinkBeliefs() }, decays,
      field.shadowings(at: blocks), &expected)
    return expected
  }

  // MARK: Answers

  /// Computes the normalised weights of the particles, after levels.
  mutating func weigh() {
    var most = SIMD8<Float>(repeating: -.infinity)
    for index in blocks.indices {
      let weight = blocks[index].logWeight
      most.replace(with: weight, where: weight .> most)
    }
    let greatest = most.max()
    var sum = SIMD8<Float>.zero
    for index in blocks.indices {
      let weight = (blocks[index].logWeight - greatest).exponential
      weights[index] = weight
      sum += weight
    }
    let share = 1 / sum.sum()
    for index in weights.indices { weights[index] *= share }
  }

  /// Returns the weights of particles after resampling.
  ///
  /// - Parameter size: The number of blocks.
  static func equalWeights(_ size: Int) -> [SIMD8<Float>] {
    Array(repeating: SIMD8(repeating: 1 / Float(8 * size)), count: size)
  }

  /// The current places.
  var places: [PlaceBlock] { blocks.indices.map { blocks[$0].place } }

  /// Stores the current places as those of a time.
  mutating func remember(_ time: Int64) { pasts[time] = places }

  /// Removes the stored places of a time.
  mutating func forget(_ time: Int64) { pasts[time] = nil }

  /// Returns the mean place at a time, with its covariance; the current one if it is not stored.
  ///
  /// If q is the sum of the squared weights of distinct places, the expected weighted variance is
  /// (1 - q) of the population's, and the variance of the mean is q of it. Past places are few,
  /// because all current particles descend from them.
  func place(at time: Int64) -> (mean: SpacePoint, covariance: Covariance) {
    let places = pasts[time] ?? places
    var (mean, spread) = places.moments(weights)
    let concentration = min(places.concentration(weights), 0.9)
    spread = (1 + concentration) / (1 - concentration) * spread
    mean.x += area.bounds.minimum.x
    mean.y += area.bounds.minimum.y
    return (mean, spread)
  }
}

/// Eight particles: hypotheses of the target's place, its speed if it walks, and the errors of its
/// levels.
struct ParticleBlock {
  var place: PlaceBlock
  var velocityX = SIMD8<Float>.zero
  var velocityY = SIMD8<Float>.zero
  /// The logarithm of the root mean square speed in m/s while walking.
  var logSpeed: SIMD8<Float>
  /// 1 for walking particles, 0 for resting ones.
  var walks: SIMD8<Float>
  /// The path length since they were copied, in metres.
  var way = SIMD8<Float>.zero
  var offset: OffsetBeliefs
  /// The error of the exponent of all curves.
  var exponentError = SIMD8<Float>.zero
  var logWeight = SIMD8<Float>.zero
}

extension ParticleBlock {
  /// Creates copies of some particles, with weight 1 and path length 0.
  init(_ sources: SIMD8<Int32>, of all: [ParticleBlock]) {
    place = PlaceBlock(
      x: SIMD8(sources) { all[$0].place.x[$1] }, y: SIMD8(sources) { all[$0].place.y[$1] },
      height: SIMD8(sources) { all[$0].place.height[$1] })
    velocityX = SIMD8(sources) { all[$0].velocityX[$1] }
    velocityY = SIMD8(sources) { all[$0].velocityY[$1] }
    logSpeed = SIMD8(sources) { all[$0].logSpeed[$1] }
    walks = SIMD8(sources) { all[$0].walks[$1] }
    offset = OffsetBeliefs(
      mean: SIMD8(sources) { all[$0].offset.mean[$1] },
      variance: SIMD8(sources) { all[$0].offset.variance[$1] })
    exponentError = SIMD8(sources) { all[$0].exponentError[$1] }
  }
}

extension SIMD8<Float> {
  /// Gathers values of some particles, each by its block and its lane.
  @inline(__always)
  init(_ sources: SIMD8<Int32>, _ number: (_ block: Int, _ lane: Int) -> Float) {
    @inline(__always)
    func value(_ lane: Int) -> Float {
      let source = Int(sources[lane])
      return number(source &>> 3, source & 7)
    }
    self.init(value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7))
  }
}
