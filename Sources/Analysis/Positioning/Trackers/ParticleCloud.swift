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
/// Particles are processed in blocks of eight.
struct ParticleCloud {
  var blocks: [ParticleBlock] = []
  /// The beliefs of each column, block by block.
  var beliefs: [[LinkBeliefs]]
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
    beliefs = Array(
      repeating: Array(repeating: LinkBeliefs(way: .zero), count: size), count: columns)
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

  /// Weights the particles by a level; returns the weight of those to which it is not an outlier.
  ///
  /// - Parameters:
  ///   - temper: The exponent of the likelihood in the weight of a particle.
  ///   - weights: The weights of the particles before this and other levels of the moment.
  mutating func hear(
    _ level: TrackedTrace.Level, column: Int, _ links: MeasurementModel, temper: Double,
    weights: [SIMD8<Float>]
  ) -> Double {
    let field = links.field(of: level.anchor, packets: level.packets, from: area.bounds.minimum)
    let (rssi, nearDistance) = (Float(level.rssi), Float(links.nearDistance))
    let temper = Float(temper)
    var fitting = SIMD8<Float>.zero
    for index in blocks.indices {
      var block = blocks[index]
      var belief = beliefs[column][index]
      let (expected, far) = field.level(at: block.place, exponentError: block.exponentError)
      belief.advance(to: block.way, nearDistance: nearDistance)
      let link = belief.expectation(far: far, near: field.near, packet: field.packet)
      let (mean, variance) = block.offset.expectation(link)
      let error = rssi - expected
      let fit = RobustLevels(
        residual: error - mean, variance: variance, leastLogLikelihood: field.leastLogLikelihood)
      block.logWeight += temper * fit.logLikelihood
      fitting += weights[index] * fit.isNoOutlier
      belief.learn(error - link.mean, link, share: fit.isNoOutlier)
      block.offset.learn(error - mean, link, share: fit.isNoOutlier)
      beliefs[column][index] = belief
      blocks[index].offset = block.offset
      blocks[index].logWeight = block.logWeight
    }
    return Double(fitting.sum())
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
    let nearDistance = Float(links.nearDistance)
    let event = LevelIndependence(speed: motion.usualSpeed).silence(for: seconds)
    for index in blocks.indices {
      let block = blocks[index]
      let (expected, far) = field.level(at: block.place, exponentError: block.exponentError)
      var belief = column.map { beliefs[$0][index] } ?? LinkBeliefs(way: block.way)
      belief.advance(to: block.way, nearDistance: nearDistance)
      let (mean, variance) = block.offset.expectation(
        belief.expectation(far: far, near: field.near, packet: field.packet))
      for lane in 0..<8 {
        blocks[index].logWeight[lane] += Float(
          event.worth
            * reception.logSilence(
              level: Double(expected[lane] + mean[lane]),
              sigma: Double(variance[lane]).squareRoot(), seconds: event.seconds))
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
    let field = links.field(of: anchor, packets: 1, from: area.bounds.minimum)
    let nearDistance = Float(links.nearDistance)
    let (middle, width) = (Float(counts.middle), Float(counts.width))
    for index in blocks.indices {
      let block = blocks[index]
      let (expected, far) = field.level(at: block.place, exponentError: block.exponentError)
      var belief = column.map { beliefs[$0][index] } ?? LinkBeliefs(way: block.way)
      belief.advance(to: block.way, nearDistance: nearDistance)
      let (mean, variance) = block.offset.expectation(
        belief.expectation(far: far, near: field.near, packet: 0))
      let score =
        (expected + mean - middle) / (width * width + .pi / 8 * variance.most(0)).root
      for lane in 0..<8 { blocks[index].logWeight[lane] -= costs.cost(atScore: score[lane]) }
    }
  }

  // MARK: Answers

  /// Returns the normalised weights of the particles.
  func weights() -> [SIMD8<Float>] {
    let most = blocks.lazy.map { $0.logWeight.max() }.max() ?? 0
    var weights = blocks.map { ($0.logWeight - most).exponential }
    let share = 1 / weights.reduce(.zero, +).sum()
    for index in weights.indices { weights[index] *= share }
    return weights
  }

  /// Stores the current places as those of a time.
  mutating func remember(_ time: Int64) { pasts[time] = blocks.map(\.place) }

  /// Removes the stored places of a time.
  mutating func forget(_ time: Int64) { pasts[time] = nil }

  /// Returns the mean place at a time, with its covariance; the current one if it is not stored.
  ///
  /// If q is the sum of the squared weights of distinct places, the expected weighted variance is
  /// (1 - q) of the population's, and the variance of the mean is q of it. Past places are few,
  /// because all current particles descend from them.
  func place(at time: Int64) -> (mean: SpacePoint, covariance: Covariance) {
    let (places, weights) = (pasts[time] ?? blocks.map(\.place), weights())
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
