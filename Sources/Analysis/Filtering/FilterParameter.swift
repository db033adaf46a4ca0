import Support

/// One parameter of a kind of filter.
package struct FilterParameter: Sendable {
  package enum Quantity: Sendable {
    /// Written as `2s` or `500ms`, kept in nanoseconds.
    case time
    /// A number in a unit; empty for a number without one.
    case number(unit: String)
  }

  package let name: String
  package let quantity: Quantity
  /// As it would be written; nil for a parameter that may be left out without a replacement.
  package let fallback: String?
  /// A value of a parameter that has to be written; nil for one that may be left out.
  package let example: String?
  /// Which values it may have, in words that follow "must be".
  package let range: String
  let isValid: @Sendable (Double) -> Bool
  /// For people, after the name: what it does.
  package let summary: String

  init(
    _ name: String, _ quantity: Quantity, default fallback: String?, example: String? = nil,
    mustBe range: String, _ summary: String, isValid: @escaping @Sendable (Double) -> Bool
  ) {
    self.name = name
    self.quantity = quantity
    self.fallback = fallback
    self.example = example
    self.range = range
    self.summary = summary
    self.isValid = isValid
  }

  /// A time above 0.
  static func time(_ name: String, default fallback: String, _ summary: String) -> FilterParameter {
    FilterParameter(
      name, .time, default: fallback, mustBe: "a time above 0 such as 2s or 500ms", summary
    ) {
      $0 > 0
    }
  }

  /// A number above 0.
  static func positive(
    _ name: String, unit: String = "", default fallback: String?, _ summary: String
  ) -> FilterParameter {
    FilterParameter(
      name, .number(unit: unit), default: fallback, mustBe: "a number above 0, 1e-9 to 1e9", summary
    ) {
      (1e-9...1e9).contains($0)
    }
  }

  /// A number of at least 0.
  static func notNegative(
    _ name: String, unit: String = "", default fallback: String?, _ summary: String
  ) -> FilterParameter {
    FilterParameter(
      name, .number(unit: unit), default: fallback, mustBe: "a number from 0 to 1e9", summary
    ) {
      (0...1e9).contains($0)
    }
  }

  /// q and r of the random walk, estimated where they are left out.
  static let noise: [FilterParameter] = [
    notNegative("q", unit: "dB²/s", default: nil, "how much the mean level wanders"),
    positive("r", unit: "dB²", default: nil, "noise of a single level"),
  ]

  /// The value of a text; nil where it has none that is valid.
  func value(_ text: String) -> Double? {
    switch quantity {
    case .time:
      guard let nanoseconds = duration(text), isValid(Double(nanoseconds)) else { return nil }
      return Double(nanoseconds)
    case .number:
      guard let number = Double(text), number.isFinite, isValid(number) else { return nil }
      return number
    }
  }
}

/// The values of a filter's parameters.
package struct FilterParameters: Equatable, Sendable {
  var values: [String: Double] = [:]

  /// A parameter that is optional; nil where it is left out.
  package func optional(_ name: String) -> Double? { values[name] }

  /// A parameter that has a default or is required.
  package func number(_ name: String) -> Double {
    guard let value = values[name] else { preconditionFailure("\(name) has no default") }
    return value
  }

  /// A time that has a default or is required, in nanoseconds.
  package func nanoseconds(_ name: String) -> Int64 { Int64(number(name)) }

  /// The noise that is written, else what was estimated.
  func noise(else estimated: Noise) -> Noise {
    guard let q = values["q"], let r = values["r"] else { return estimated }
    return Noise(q: q, r: r)
  }
}
