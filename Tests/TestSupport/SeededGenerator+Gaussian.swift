import Foundation

extension SeededGenerator {
  /// A standard Gaussian number (Box and Muller).
  public mutating func gaussian() -> Double {
    let radius = (-2 * log(Double.random(in: 0.0.nextUp..<1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}
