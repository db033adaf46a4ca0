import Geometry
import NumericalMethods
import RealModule

/// How particles walk: as a ``Pedestrian``, at a speed that is given or that each guesses.
///
/// A guessed speed is part of the particle: from a prior that is uniform in its logarithm it wanders
/// by a tenth of itself in a second. Those whose speeds explain the levels remain, so that the
/// speed is learned and never set.
struct ParticleMotion: Sendable {
  /// Of the target where it is given, in m/s.
  let speed: Double?

  /// Where the speed is guessed: from standing with something in the hand to walking fast.
  static let guesses = 0.1...1.5
  /// Standard deviation of the logarithm of the speed after one second.
  private static let wander = 0.1

  /// For what needs one speed of all particles, in m/s.
  var usualSpeed: Double { speed ?? Pedestrian().speed }

  private static let logarithms = Double.log(guesses.lowerBound)...Double.log(guesses.upperBound)

  /// The speed of a new particle.
  func someSpeed(_ numbers: inout RandomStream<SplitMix64>) -> Double {
    speed
      ?? Double.exp(numbers.uniform(Self.logarithms.lowerBound, Self.logarithms.upperBound))
  }

  /// The speed some time later; at the ends of what is guessed it turns back.
  func nextSpeed(
    _ before: Double, after seconds: Double, _ numbers: inout RandomStream<SplitMix64>
  ) -> Double {
    guard speed == nil else { return before }
    let (low, high) = (Self.logarithms.lowerBound, Self.logarithms.upperBound)
    let next = Double.log(before) + Self.wander * seconds.squareRoot() * numbers.gaussian()
    return Double.exp(
      min(max(next < low ? 2 * low - next : next > high ? 2 * high - next : next, low), high))
  }
}

extension ParticleCloud {
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
    let step = Pedestrian().step(seconds)
    // Of a component, at 1 m/s.
    let jolt = step.velocityVariance.squareRoot()
    let climb = Pedestrian().climb * seconds.squareRoot()
    for index in particles.indices {
      var particle = particles[index]
      particle.speed = motion.nextSpeed(particle.speed, after: seconds, &numbers)
      let (vx, vy) = (particle.velocityX, particle.velocityY)
      particle.velocityX = step.share * vx + particle.speed * jolt * numbers.gaussian()
      particle.velocityY = step.share * vy + particle.speed * jolt * numbers.gaussian()
      let shiftX = 0.5 * seconds * (vx + particle.velocityX)
      let shiftY = 0.5 * seconds * (vy + particle.velocityY)
      let next = Point(x: particle.place.x + shiftX, y: particle.place.y + shiftY)
      if area.allows(particle.place, next) {
        particle.place = next
        particle.way += Float((shiftX * shiftX + shiftY * shiftY).squareRoot())
      } else {
        particle.velocityX = -particle.velocityX
        particle.velocityY = -particle.velocityY
      }
      if let heights = area.heights {
        let height = particle.height + climb * numbers.gaussian()
        particle.height = min(max(height, heights.lowerBound), heights.upperBound)
      }
      particles[index] = particle
    }
  }
}
