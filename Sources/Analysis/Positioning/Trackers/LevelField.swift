import CParticles
import Geometry
import NumericalMethods
import RealModule

/// The level of one anchor at the places of particles, with the components of its error.
struct LevelField {
  /// The constants, with the level that is compared with the field.
  var constants: cparticles_level
  private let origin: Point
  private let lattice: ShadowingLattice?
  /// The part of the lattice's variance that does not last, in dB².
  private let placeNoise: Float

  /// - Parameters:
  ///   - origin: The origin of the particles' places.
  ///   - placeNoise: The part of the lattice's variance that does not last, in dB².
  ///   - far: The variance of the lasting part without a lattice, in dB².
  ///   - near: The standard deviation of the part that lasts for a step, in dB.
  ///   - packet: The variance in dB² of the packets' own error.
  init(
    anchor: Anchor, origin: Point, lattice: ShadowingLattice?, placeNoise: Float, far: Float,
    near: Float, packet: Float, leastLogLikelihood: Float
  ) {
    constants = cparticles_level()
    constants.x = Float(anchor.place.x - origin.x)
    constants.y = Float(anchor.place.y - origin.y)
    constants.height = Float(anchor.heightDifference)
    constants.measured_power = Float(anchor.measuredPower)
    constants.slope_of_exponent = Float(-5 / Double.log(10))
    constants.slope = constants.slope_of_exponent * Float(anchor.exponent)
    constants.far = far.squareRoot()
    constants.near = near
    constants.has_shadowings = lattice != nil
    constants.packet = packet
    constants.least_log_likelihood = leastLogLikelihood
    self.origin = origin
    self.lattice = lattice
    self.placeNoise = placeNoise
  }

  /// Returns the shadowing at the places of particles; empty without a lattice.
  func shadowings(at blocks: [ParticleBlock]) -> [LinkShadowing] {
    guard let lattice else { return [] }
    return blocks.indices.map {
      let (offset, deviation) = lattice.shadowing(
        blocks[$0].place.x, blocks[$0].place.y, from: origin)
      let variance = deviation * deviation - placeNoise
      return LinkShadowing(offset: offset, deviation: variance.most(0).root)
    }
  }
}

/// The shadowing of a link at the places of eight particles, by a radio map.
struct LinkShadowing {
  /// The mean, in dB.
  let offset: SIMD8<Float>
  /// The standard deviation of the part that lasts, in dB.
  let deviation: SIMD8<Float>
}
