/// The positioning algorithms by name.
public enum Algorithms {
  /// Every algorithm with its default parameters, in the order of the documentation.
  public static let all: [any PositioningAlgorithm] = [
    PowerCenter(), SphereIntersection(), EPTA(), LinearLeastSquares(), WeightedCentroid(),
    MaximumLikelihood(),
  ]

  /// The names that ``named(_:)`` knows.
  public static var names: [String] { all.map(\.name) }

  /// The algorithm of that name, such as `power-center`, or nil.
  public static func named(_ name: String) -> (any PositioningAlgorithm)? {
    all.first { $0.name == name }
  }
}
