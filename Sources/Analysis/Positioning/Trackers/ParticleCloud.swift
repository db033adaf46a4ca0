import Geometry
import NumericalMethods
import RealModule

/// Weighted guesses of where a walking target is, each with its own belief about the anchors'
/// shadowing.
///
/// Given its place, a particle's shadowings are independent and normal, so they are not guessed but
/// reckoned with a scalar Kalman filter each (Rao–Blackwell). Source: Arulampalam et al., "A
/// tutorial on particle filters", IEEE T-SP 50 (2002); Schön, Gustafsson and Nordlund,
/// "Marginalized particle filters", IEEE T-SP 53 (2005).
struct ParticleCloud {
  private struct Particle {
    var place: Point
    var height: Double
    var velocityX: Double
    var velocityY: Double
    var logWeight = 0.0

    var spacePoint: SpacePoint { SpacePoint(place, z: height) }
  }

  /// A particle's belief about one anchor's shadowing, in units of its standard deviation.
  private struct Belief {
    var mean: Float = 0
    var variance: Float = 1
  }

  private var particles: [Particle] = []
  /// An anchor's belief of each particle, particle by particle; anchors in the order of their
  /// columns.
  private var beliefs: [Belief]
  private let columns: Int
  private var numbers: RandomStream<SplitMix64>
  private let area: WalkableArea
  private let motion: Pedestrian
  /// Where each particle was at times that are still asked about.
  private var pasts: [Int: [SpacePoint]] = [:]
  private(set) var time: Int64

  /// Spreads particles evenly over the area.
  init(
    _ count: Int, columns: Int, in area: WalkableArea, motion: Pedestrian,
    numbers: RandomStream<SplitMix64>,
    time: Int64
  ) {
    self.columns = columns
    self.area = area
    self.motion = motion
    self.numbers = numbers
    self.time = time
    beliefs = [Belief](repeating: Belief(), count: count * columns)
    let deviation = motion.componentVariance.squareRoot()
    for _ in 0..<count {
      let place = somewhere()
      let height = area.heights.map { self.numbers.uniform($0.lowerBound, $0.upperBound) } ?? 0
      particles.append(
        Particle(
          place: place, height: height, velocityX: deviation * self.numbers.gaussian(),
          velocityY: deviation * self.numbers.gaussian()))
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

  var generator: RandomStream<SplitMix64> { numbers }

  // MARK: Motion

  /// The longest step: a velocity's time constant is several of them.
  private static let longestStep = 0.5

  /// Lets every particle walk on to a time; at a wall it turns round.
  mutating func advance(to later: Int64) {
    guard later > time else { return }
    let seconds = Double(later - time) * 1e-9
    time = later
    let steps = max(1, (seconds / Self.longestStep).rounded(.up))
    for _ in 0..<Int(steps) { walk(seconds / steps) }
  }

  private mutating func walk(_ seconds: Double) {
    let step = motion.step(seconds)
    let jolt = step.velocityVariance.squareRoot()
    let climb = motion.climb * seconds.squareRoot()
    for index in particles.indices {
      var particle = particles[index]
      let (vx, vy) = (particle.velocityX, particle.velocityY)
      particle.velocityX = step.share * vx + jolt * numbers.gaussian()
      particle.velocityY = step.share * vy + jolt * numbers.gaussian()
      let shiftX = 0.5 * seconds * (vx + particle.velocityX)
      let shiftY = 0.5 * seconds * (vy + particle.velocityY)
      let next = Point(x: particle.place.x + shiftX, y: particle.place.y + shiftY)
      if area.allows(particle.place, next) {
        particle.place = next
      } else {
        particle.velocityX = -particle.velocityX
        particle.velocityY = -particle.velocityY
      }
      if let heights = area.heights {
        let height = particle.height + climb * numbers.gaussian()
        particle.height = min(max(height, heights.lowerBound), heights.upperBound)
      }
      particles[index] = particle
      let kept = Float(
        Shadowing.correlation(after: (shiftX * shiftX + shiftY * shiftY).squareRoot()))
      for column in (index * columns)..<((index + 1) * columns) {
        beliefs[column].mean *= kept
        beliefs[column].variance = 1 - kept * kept * (1 - beliefs[column].variance)
      }
    }
  }

  // MARK: Levels

  /// Weighs the particles by a level; returns the weight of those to which it is no outlier.
  mutating func hear(_ level: TrackedTrace.Level, column: Int, _ links: MeasurementModel) -> Double
  {
    let packet = links.packetVariance(level.anchor, packets: level.packets)
    var fitting = 0.0
    var total = 0.0
    let most = particles.lazy.map(\.logWeight).max() ?? 0
    for index in particles.indices {
      let (expected, deviation) = links.level(
        level.anchor, at: particles[index].place, height: particles[index].height)
      var belief = beliefs[index * columns + column]
      let cross = deviation * Double(belief.variance)
      let fit = RobustLevel(
        residual: level.rssi - expected - deviation * Double(belief.mean),
        variance: deviation * cross + packet)
      let weight = Double.exp(particles[index].logWeight - most)
      total += weight
      particles[index].logWeight += fit.logLikelihood
      guard !fit.isOutlier else { continue }
      fitting += weight
      let gain = cross / fit.variance
      belief.mean += Float(gain * fit.residual)
      belief.variance -= Float(gain * cross)
      beliefs[index * columns + column] = belief
    }
    return fitting / total
  }

  /// Weighs the particles by an anchor's silence.
  ///
  /// - Parameter column: nil for an anchor that is never heard.
  mutating func hearNothing(
    of anchor: Int, _ reception: Anchor.Reception, column: Int?, seconds: Double,
    _ links: MeasurementModel
  ) {
    let packet = links.packetVariance(anchor, packets: 1)
    // Silences of one place share its shadowing, as levels do.
    let event = LevelIndependence(speed: motion.speed).silence(for: seconds)
    for index in particles.indices {
      let (expected, deviation) = links.level(
        anchor, at: particles[index].place, height: particles[index].height)
      let belief = column.map { beliefs[index * columns + $0] } ?? Belief()
      particles[index].logWeight +=
        event.worth
        * reception.logSilence(
          level: expected + deviation * Double(belief.mean),
          sigma: (deviation * deviation * Double(belief.variance) + packet).squareRoot(),
          seconds: event.seconds)
    }
  }

  // MARK: Resampling

  private func weights() -> [Double] {
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
    var beliefs: [Belief] = []
    beliefs.reserveCapacity(self.beliefs.count)
    for source in sources { beliefs += self.beliefs[(source * columns)..<((source + 1) * columns)] }
    self.beliefs = beliefs
    particles = sources.map { particles[$0] }
    for (question, places) in pasts { pasts[question] = sources.map { places[$0] } }
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

  /// Remembers the places of now for a question.
  mutating func remember(_ question: Int) { pasts[question] = particles.map(\.spacePoint) }

  /// Forgets a question's places.
  mutating func forget(_ question: Int) { pasts[question] = nil }

  /// The mean place at the time of a question, with its covariance; now where it is not remembered.
  func place(of question: Int) -> (mean: SpacePoint, covariance: Covariance) {
    Self.moments(pasts[question] ?? particles.map(\.spacePoint), weights())
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
