/// The valid values of a kind's parameters: the given ones, and the defaults of the others.
package struct ParameterValues: Sendable {
  enum Value: Equatable, Sendable {
    case time(Int64)
    case number(Double)
    case count(Int)
    case text(String)
  }

  /// The source of the values.
  package let specification: Specification
  private var values: [String: Value] = [:]

  init(_ specification: Specification, of parameters: [Parameter]) throws(RSSIError) {
    self.specification = specification
    for (name, text) in specification.written {
      guard let parameter = parameters.first(where: { $0.name == name || $0.isPlaceholder }) else {
        throw Self.unknown(name, in: specification, of: parameters)
      }
      guard let value = parameter.value(of: text) else {
        throw RSSIError(
          .usage,
          "\"\(specification.text)\": \(name) must be \(parameter.requirement), found \"\(text)\"")
      }
      values[name] = value
    }
    for parameter in parameters where values[parameter.name] == nil {
      if let example = parameter.example {
        throw RSSIError(
          .usage,
          "\"\(specification.text)\" requires \(parameter.name), \(parameter.summary); example: "
            + "\(parameter.name)=\(example)")
      }
      values[parameter.name] = parameter.fallback.flatMap(parameter.value)
    }
  }

  private static func unknown(
    _ name: String, in specification: Specification, of parameters: [Parameter]
  ) -> RSSIError {
    let names = parameters.map(\.name)
    return RSSIError(
      .usage,
      "\"\(specification.text)\": \(specification.name) has no parameter \"\(name)\""
        + didYouMean(name, among: names)
        + (names.isEmpty ? "" : "; known parameters are \(names.joined(separator: ", "))"))
  }

  /// Returns a number, or `nil` if there is a word instead of it, or it is absent and has no
  /// default.
  package func optional(_ name: String) -> Double? {
    guard case .number(let number) = values[name] else { return nil }
    return number
  }

  package func number(_ name: String) -> Double {
    guard let number = optional(name) else { preconditionFailure("\(name) is not a number") }
    return number
  }

  package func duration(_ name: String) -> Duration {
    guard case .time(let time) = values[name] else { preconditionFailure("\(name) is not a time") }
    return .nanoseconds(time)
  }

  /// Returns a time, or `nil` if it is absent and has no default.
  package func optionalDuration(_ name: String) -> Duration? {
    guard case .time(let time) = values[name] else { return nil }
    return .nanoseconds(time)
  }

  package func seconds(_ name: String) -> Double { Double(duration(name).nanoseconds) * 1e-9 }

  /// Returns a whole number, or `nil` if there is a word instead of it.
  package func count(_ name: String) -> Int? {
    guard case .count(let count) = values[name] else { return nil }
    return count
  }

  package func text(_ name: String) -> String {
    guard case .text(let text) = values[name] else { preconditionFailure("\(name) is not a text") }
    return text
  }

  package func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice {
    guard let choice = Choice(rawValue: text(name)) else {
      preconditionFailure("\(name) has other words")
    }
    return choice
  }

  package func flag(_ name: String) -> Bool { text(name) == "yes" }
}
