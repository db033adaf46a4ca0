import Geometry
import NumericalMethods
import RealModule

/// The level of one anchor at places of particles, and the parts of what it is off by.
struct LevelField {
  /// The anchor's coordinates from the origin of places.
  private let x: Float
  private let y: Float
  private let height: Float
  /// The level at 1 m, and the change in dB a unit of the squared distance's logarithm.
  private let measuredPower: Float
  private let slope: Float
  /// The same for an exponent of 1.
  private static let slopeOfExponent = Float(-5 / Double.log(10))
  private let origin: Point
  private let lattice: ShadowingLattice?
  /// The variance in dB² that the lattice has in it and that does not last.
  private let placeNoise: Float
  /// The variance in dB² of what lasts, where there is no lattice.
  private let far: Float
  /// The standard deviation in dB of what lasts for a step.
  let near: Float
  /// The variance in dB² of the packets' own error.
  let packet: Float
  let leastLogLikelihood: Float

  init(
    anchor: Anchor, origin: Point, lattice: ShadowingLattice?, placeNoise: Float, far: Float,
    near: Float, packet: Float, leastLogLikelihood: Float
  ) {
    x = Float(anchor.place.x - origin.x)
    y = Float(anchor.place.y - origin.y)
    height = Float(anchor.heightDifference)
    measuredPower = Float(anchor.measuredPower)
    slope = Self.slopeOfExponent * Float(anchor.exponent)
    self.origin = origin
    self.lattice = lattice
    self.placeNoise = placeNoise
    self.far = far
    self.near = near
    self.packet = packet
    self.leastLogLikelihood = leastLogLikelihood
  }

  /// The expected levels in dBm, and the standard deviations in dB of what lasts.
  ///
  /// - Parameter exponentError: what is to be added to the exponent.
  @inline(__always)
  func level(
    at place: PlaceBlock, exponentError: SIMD8<Float>
  ) -> (level: SIMD8<Float>, far: SIMD8<Float>) {
    let (dx, dy, dz) = (place.x - x, place.y - y, place.height - height)
    // Nearer than 1 cm the curve means nothing, and its logarithm has a pole.
    let squared = (dx * dx + dy * dy + dz * dz).most(1e-4)
    let level = measuredPower + (slope + Self.slopeOfExponent * exponentError) * squared.logarithm
    guard let lattice else { return (level, SIMD8(repeating: far.squareRoot())) }
    let (offset, deviation) = lattice.shadowing(place.x, place.y, from: origin)
    let variance = deviation * deviation - placeNoise
    return (level + offset, variance.most(0).root)
  }
}
