/// The range between two limits, such as a 95 % confidence interval; `[lower, upper]` in JSON.
public struct Interval: Codable, Equatable, Sendable {
  public var lower: Double
  public var upper: Double

  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Reads an array of two numbers.
  ///
  /// - Throws: `DecodingError` for an array of any other length.
  public init(from decoder: any Decoder) throws {
    var limits = try decoder.unkeyedContainer()
    lower = try limits.decode(Double.self)
    upper = try limits.decode(Double.self)
    guard limits.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: limits, debugDescription: "an interval has two limits")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var limits = encoder.unkeyedContainer()
    try limits.encode(lower)
    try limits.encode(upper)
  }
}
