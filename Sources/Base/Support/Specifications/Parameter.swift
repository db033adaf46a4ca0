import Glibc

/// A parameter of a filter or an algorithm, as in `median:window=2s`.
///
/// It is declared once; specifications are checked against it, and messages and help texts print
/// it.
public struct Parameter: Sendable {
  /// The type and range of its value.
  package enum Quantity: Sendable {
    /// A time such as `2s` or `500ms`, above 0; with the longest in nanoseconds, if there is one.
    case time(atMost: Int64?)
    /// A number, or a word instead of it if there is one.
    case number(ClosedRange<Double>, isHalfOpen: Bool, unit: String, orWord: String? = nil)
    /// A whole number, or a word instead of it if there is one.
    case count(ClosedRange<Int>, orWord: String?)
    case choice([String])
    /// Any non-empty text, which the kind itself parses, with a description of it.
    case text(String)
  }

  /// The name of the parameter.
  public let name: String
  package let quantity: Quantity
  /// The default value; `nil` if the parameter is required, or has no default.
  public let fallback: String?
  /// An example of a required parameter; `nil` for an optional one.
  package let example: String?
  /// A one-line description of the parameter.
  public let summary: String
  /// A Boolean value that is true if its name stands for all names that no other parameter has.
  package private(set) var isPlaceholder = false

  package var forEveryName: Parameter {
    var parameter = self
    parameter.isPlaceholder = true
    return parameter
  }

  /// The valid values with their unit, such as `from 0 to 100 m/s` or `yes or no`.
  public var range: String {
    switch quantity {
    case .time(let longest):
      "above 0" + (longest.map { ", at most \(written(duration: $0))" } ?? "")
    case .number(let range, let isHalfOpen, let unit, let word):
      "from \(short(range.lowerBound))"
        + (range.upperBound == .greatestFiniteMagnitude
          ? "" : " to \(isHalfOpen ? "below " : "")\(short(range.upperBound))")
        + (unit.isEmpty ? "" : " \(unit)") + (word.map { ", or \($0)" } ?? "")
    case .count(let range, let word):
      "from \(range.lowerBound)"
        + (range.upperBound == .max ? "" : " to \(short(Double(range.upperBound)))")
        + (word.map { ", or \($0)" } ?? "")
    case .choice(let words):
      words.dropLast().joined(separator: ", ") + (words.count > 1 ? " or " : "")
        + (words.last ?? "")
    case .text(let content): content
    }
  }

  /// The requirement on a value, for a message.
  var requirement: String {
    switch quantity {
    case .time: "a time \(range) such as \(example ?? "2s or 500ms")"
    case .number: "a number \(range)"
    case .count: "a whole number \(range)"
    case .choice, .text: range
    }
  }

  /// Returns the value of a text, or `nil` if it is invalid.
  func value(of text: String) -> ParameterValues.Value? {
    switch quantity {
    case .time(let longest):
      duration(text).flatMap { $0 > 0 && $0 <= longest ?? .max ? .time($0) : nil }
    case .number(let range, let isHalfOpen, _, let word):
      text == word
        ? .text(text)
        : Double(text).flatMap {
          range.contains($0) && !(isHalfOpen && $0 == range.upperBound) ? .number($0) : nil
        }
    case .count(let range, let word):
      text == word
        ? .text(text)
        : (Int(text) ?? Double(text).flatMap { Int(exactly: $0) }).flatMap {
          range.contains($0) ? .count($0) : nil
        }
    case .choice(let words): words.contains(text) ? .text(text) : nil
    case .text: text.isEmpty ? nil : .text(text)
    }
  }

  /// Formats a bound such as `0.01`; large and small powers of ten as `1e9`.
  private func short(_ number: Double) -> String {
    let exponent = log10(number).rounded()
    let isPower = number > 0 && abs(exponent) > 4 && number == pow(10, exponent)
    return isPower ? "1e\(Int(exponent))" : plain(number)
  }
}

extension Parameter {
  private init(
    _ name: String, _ quantity: Quantity, _ fallback: String?, example: String? = nil,
    _ summary: String
  ) {
    (self.name, self.quantity, self.summary) = (name, quantity, summary)
    (self.fallback, self.example) = (fallback, example)
  }

  package static func time(
    _ name: String, default fallback: String? = nil, example: String? = nil,
    atMost longest: Int64? = nil, _ summary: String
  ) -> Parameter {
    Parameter(name, .time(atMost: longest), fallback, example: example, summary)
  }

  package static func number(
    _ name: String, in range: ClosedRange<Double>, unit: String = "", or word: String? = nil,
    default fallback: String? = nil, example: String? = nil, _ summary: String
  ) -> Parameter {
    let quantity = Quantity.number(range, isHalfOpen: false, unit: unit, orWord: word)
    return Parameter(name, quantity, fallback, example: example, summary)
  }

  /// Returns a parameter for a share, from 0 to below a limit.
  package static func share(
    _ name: String, below limit: Double, default fallback: String? = nil, _ summary: String
  ) -> Parameter {
    Parameter(name, .number(0...limit, isHalfOpen: true, unit: ""), fallback, summary)
  }

  package static func count(
    _ name: String, in range: ClosedRange<Int>, or word: String? = nil, default fallback: String,
    _ summary: String
  ) -> Parameter {
    Parameter(name, .count(range, orWord: word), fallback, summary)
  }

  package static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, default fallback: Choice, _ summary: String
  ) -> Parameter {
    Parameter(name, .choice(Choice.allCases.map(\.rawValue)), fallback.rawValue, summary)
  }

  package static func flag(_ name: String, default fallback: Bool, _ summary: String) -> Parameter {
    Parameter(name, .choice(["yes", "no"]), fallback ? "yes" : "no", summary)
  }

  /// Returns a required text parameter.
  package static func text(
    _ name: String, mustBe content: String, example: String, _ summary: String
  ) -> Parameter {
    Parameter(name, .text(content), nil, example: example, summary)
  }
}
