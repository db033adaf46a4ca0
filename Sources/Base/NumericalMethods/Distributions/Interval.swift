/// The range between two limits, such as a 95 % confidence interval; `[lower, upper]` in JSON.
public struct Interval: Codable, Equatable, Sendable {
  public var lower: Double
  public var upper: Double

  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether both limits are finite.
  package var isFinite: Bool { lower.isFinite && upper.isFinite }

  /// Whether a value is within the limits, or is one of them.
  public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }

  /// Reads an array of two numbers.
  ///
  /// - Throws: `DecodingError` for an array of any other length.
  public init(from decoder: any Decoder) throws {
    let limits = try [Double](from: decoder)
    guard limits.count == 2 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "an interval must be two numbers, [lower, upper]"))
    }
    (lower, upper) = (limits[0], limits[1])
  }

  public func encode(to encoder: any Encoder) throws {
    try [lower, upper].encode(to: encoder)
  }
}
