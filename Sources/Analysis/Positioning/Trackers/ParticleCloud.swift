import Geometry
import NumericalMethods
import RealModule

/// Weighted guesses of where a walking target is, how fast it walks, and what its levels are off
/// by.
///
/// Given its way, a particle's shadowings and the offset of all links are normal, so they are not
/// guessed but reckoned with a scalar Kalman filter each (Rao–Blackwell; ``LinkBelief``). Source:
/// Arulampalam et al., "A tutorial on particle filters", IEEE T-SP 50 (2002); Schön, Gustafsson and
/// Nordlund, "Marginalized particle filters", IEEE T-SP 53 (2005).
struct ParticleCloud {
  struct Particle {
    var place: Point
    var height: Double
    var velocityX = 0.0
    var velocityY = 0.0
    /// Root mean square of the speed, in metres per second.
    var speed: Double
    /// How far it has come, in metres.
    var way: Float = 0
    var offset: OffsetBelief
    var logWeight = 0.0

    var spacePoint: SpacePoint { SpacePoint(place, z: height) }
  }

  var particles: [Particle] = []
  /// An anchor's belief of each particle, particle by particle; anchors in the order of their
  /// columns.
  private var beliefs: [LinkBelief]
  private let columns: Int
  var numbers: RandomStream<SplitMix64>
  let area: WalkableArea
  let motion: ParticleMotion
  /// Where each particle was at times that are still asked about.
  private var pasts: [Int64: [SpacePoint]] = [:]
  var time: Int64

  /// Spreads particles evenly over the area.
  ///
  /// - Parameter offset: the standard deviation of what is common to all links, in dB.
  init(
    _ count: Int, columns: Int, in area: WalkableArea, motion: ParticleMotion, offset: Double,
    numbers: RandomStream<SplitMix64>, time: Int64
  ) {
    self.columns = columns
    self.area = area
    self.motion = motion
    self.numbers = numbers
    self.time = time
    beliefs = [LinkBelief](repeating: LinkBelief(way: 0), count: count * columns)
    let unknown = OffsetBelief(variance: Float(offset * offset))
    for _ in 0..<count {
      let place = somewhere()
      let height = area.heights.map { self.numbers.uniform($0.lowerBound, $0.upperBound) } ?? 0
      var particle = Particle(
        place: place, height: height, speed: motion.someSpeed(&self.numbers), offset: unknown)
      let deviation = particle.speed / 2.0.squareRoot()
      particle.velocityX = deviation * self.numbers.gaussian()
      particle.velocityY = deviation * self.numbers.gaussian()
      particles.append(particle)
    }
  }

  /// A random place of the area, or of its bounds where the rooms are too small to be hit.
  private mutating func somewhere() -> Point {
    let (low, high) = (area.bounds.minimum, area.bounds.maximum)
    var place = low
    for _ in 0..<200 {
      place = Point(x: numbers.uniform(low.x, high.x), y: numbers.uniform(low.y, high.y))
      if area.contains(place) { break }
    }
    return place
  }

  // MARK: Levels

  /// Weighs the particles by a level; returns the weight of those to which it is no outlier.
  ///
  /// - Parameter weights: those of the particles before this and other levels of the moment.
  mutating func hear(
    _ level: TrackedTrace.Level, column: Int, _ links: MeasurementModel, weights: [Double]
  ) -> Double {
    let field = links.field(of: level.anchor, packets: level.packets)
    var fitting = 0.0
    for index in particles.indices {
      let (expected, far) = field.level(
        at: particles[index].place, height: particles[index].height)
      let cell = index * columns + column
      beliefs[cell].advance(to: particles[index].way)
      let link = beliefs[cell].expectation(far: far, near: field.near, packet: field.packet)
      let (mean, variance) = particles[index].offset.expectation(link)
      let error = Float(level.rssi - expected)
      let fit = RobustLevel(
        residual: error - mean, variance: variance, leastLogLikelihood: field.leastLogLikelihood)
      particles[index].logWeight += Double(fit.logLikelihood)
      guard !fit.isOutlier else { continue }
      fitting += weights[index]
      beliefs[cell].learn(error - link.mean, link)
      particles[index].offset.learn(error - mean, link)
    }
    return fitting
  }

  /// Weighs the particles by an anchor's silence.
  ///
  /// - Parameter column: nil for an anchor that is never heard.
  mutating func hearNothing(
    of anchor: Int, _ reception: Anchor.Reception, column: Int?, seconds: Double,
    _ links: MeasurementModel
  ) {
    let field = links.field(of: anchor, packets: 1)
    // Silences of one place share its shadowing, as levels do.
    let event = LevelIndependence(speed: motion.usualSpeed).silence(for: seconds)
    for index in particles.indices {
      let particle = particles[index]
      let (expected, far) = field.level(at: particle.place, height: particle.height)
      var belief = column.map { beliefs[index * columns + $0] } ?? LinkBelief(way: particle.way)
      belief.advance(to: particle.way)
      let (mean, variance) = particle.offset.expectation(
        belief.expectation(far: far, near: field.near, packet: field.packet))
      particles[index].logWeight +=
        event.worth
        * reception.logSilence(
          level: expected + Double(mean), sigma: Double(variance).squareRoot(),
          seconds: event.seconds)
    }
  }

  // MARK: Resampling

  /// The weights of the particles, whose sum is 1.
  func weights() -> [Double] {
    let most = particles.lazy.map(\.logWeight).max() ?? 0
    let weights = particles.map { Double.exp($0.logWeight - most) }
    let total = weights.reduce(0, +)
    return weights.map { $0 / total }
  }

  /// Replaces light particles with copies of heavy ones, where the weights are those of fewer than
  /// half as many.
  ///
  /// Systematic resampling (Kitagawa 1996). Copies are moved apart by a little of the cloud's
  /// breadth (Gordon, Salmond and Smith 1993): a tenth, which adds a hundredth to its variance.
  mutating func resample() {
    let weights = weights()
    let count = particles.count
    guard 1 / weights.reduce(0, { $0 + $1 * $1 }) < 0.5 * Double(count) else { return }
    var source = 0
    var passed = weights[0]
    let offset = numbers.uniform()
    var sources: [Int] = []
    sources.reserveCapacity(count)
    for index in 0..<count {
      let mark = (Double(index) + offset) / Double(count)
      while passed < mark, source < count - 1 {
        source += 1
        passed += weights[source]
      }
      sources.append(source)
    }
    let (_, spread) = Self.moments(particles.map(\.spacePoint), weights)
    let (jitterX, jitterY) = (0.1 * spread.xx.squareRoot(), 0.1 * spread.yy.squareRoot())
    let jitterZ = 0.1 * (spread.vertical?.zz ?? 0).squareRoot()
    var beliefs: [LinkBelief] = []
    beliefs.reserveCapacity(self.beliefs.count)
    for source in sources { beliefs += self.beliefs[(source * columns)..<((source + 1) * columns)] }
    self.beliefs = beliefs
    particles = sources.map { particles[$0] }
    for (time, places) in pasts { pasts[time] = sources.map { places[$0] } }
    for index in particles.indices {
      particles[index].logWeight = 0
      let place = particles[index].place
      let moved = Point(
        x: place.x + jitterX * numbers.gaussian(), y: place.y + jitterY * numbers.gaussian())
      if area.allows(place, moved) { particles[index].place = moved }
      if let heights = area.heights {
        let height = particles[index].height + jitterZ * numbers.gaussian()
        particles[index].height = min(max(height, heights.lowerBound), heights.upperBound)
      }
    }
  }

  // MARK: Answers

  /// Remembers the places of now, as those of a time.
  mutating func remember(_ time: Int64) { pasts[time] = particles.map(\.spacePoint) }

  /// Forgets the places of a time.
  mutating func forget(_ time: Int64) { pasts[time] = nil }

  /// The mean place at a time, with its covariance; now where it is not remembered.
  func place(at time: Int64) -> (mean: SpacePoint, covariance: Covariance) {
    Self.moments(pasts[time] ?? particles.map(\.spacePoint), weights())
  }

  private static func moments(
    _ places: [SpacePoint], _ weights: [Double]
  ) -> (mean: SpacePoint, covariance: Covariance) {
    var mean = SpacePoint(x: 0, y: 0, z: 0)
    for (place, weight) in zip(places, weights) {
      mean.x += weight * place.x
      mean.y += weight * place.y
      mean.z += weight * place.z
    }
    var spread = Covariance(xx: 0, xy: 0, yy: 0)
    var vertical = Covariance.Vertical(xz: 0, yz: 0, zz: 0)
    for (place, weight) in zip(places, weights) {
      let (x, y, z) = (place.x - mean.x, place.y - mean.y, place.z - mean.z)
      spread.xx += weight * x * x
      spread.xy += weight * x * y
      spread.yy += weight * y * y
      vertical.xz += weight * x * z
      vertical.yz += weight * y * z
      vertical.zz += weight * z * z
    }
    spread.vertical = vertical
    return (mean, spread)
  }
}
