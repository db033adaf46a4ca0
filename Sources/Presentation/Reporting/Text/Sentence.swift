import Support

/// A sentence in which names stand apart from words, for every form of a report.
struct Sentence: ExpressibleByStringInterpolation, Equatable, Sendable {
  enum Part: Equatable, Sendable {
    case words(String)
    case name(String)
  }

  private(set) var parts: [Part]

  init(stringLiteral value: String) { parts = [.words(value)] }
  init(stringInterpolation interpolation: StringInterpolation) { parts = interpolation.parts }

  struct StringInterpolation: StringInterpolationProtocol {
    var parts: [Part] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { parts.append(.words(literal)) }
    mutating func appendInterpolation(_ words: String) { parts.append(.words(words)) }
    mutating func appendInterpolation(_ number: Int) { parts.append(.words(grouped(number))) }
    mutating func appendInterpolation(name: String) { parts.append(.name(name)) }

    /// Names with commas, and a count of others that are not listed.
    mutating func appendInterpolation(names: [String], others: Int = 0) {
      for (index, name) in names.enumerated() {
        let isLast = index + 1 == names.count && others == 0
        if index > 0 { parts.append(.words(isLast ? " and " : ", ")) }
        parts.append(.name(name))
      }
      if others > 0 { parts.append(.words(" and \(others) others")) }
    }
  }

  var html: HTML {
    "\(parts.map { part in switch part { case .words(let words): "\(words)" as HTML case .name(let name): "<b>\(HTML.name(name))</b>" } })"
  }

  var text: String {
    parts.map { part in
      switch part {
      case .words(let text), .name(let text): text
      }
    }.joined()
  }

  var markdown: String {
    parts.map { part in
      switch part {
      case .words(let words): Markdown.escaped(words)
      case .name(let name): "**\(Markdown.escaped(name))**"
      }
    }.joined()
  }
}
