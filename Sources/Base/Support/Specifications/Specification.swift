/// The name of a kind with parameters, as users write it: `kalman:q=0.5,r=9`.
package struct Specification: Sendable {
  package let name: String
  /// The parameters and their values in the order in which they are written, without duplicates.
  package private(set) var written: [(name: String, value: String)] = []

  /// - Throws: `RSSIError` for a parameter that is not `name=value`, or a duplicate.
  package init(_ text: String) throws(RSSIError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    guard parts.count == 2 else { return }
    for pair in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard sides.count == 2, !written.contains(where: { $0.name == sides[0] }) else {
        throw RSSIError(
          .usage, "\"\(text)\": expected name=value once per parameter, found \"\(pair)\"")
      }
      written.append((sides[0], sides[1]))
    }
  }

  /// The text as written.
  package var text: String {
    name + (written.isEmpty ? "" : ":")
      + written.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
  }

  /// Returns the kind that it names, with the values of its parameters.
  ///
  /// - Parameter noun: The noun for the kinds in messages.
  /// - Throws: `RSSIError` for an unknown name, parameter or value.
  package func resolved<Kind: SpecifiedKind>(
    among kinds: [Kind], as noun: String
  ) throws(RSSIError) -> (Kind, ParameterValues) {
    guard let kind = kinds.first(where: { $0.name == name }) else {
      let names = kinds.map(\.name)
      let guess = didYouMean(name, among: names)
      // More names than a reader takes in are on a help page.
      let isLong = names.count > 8
      let list = isLong && !guess.isEmpty ? "" : ": there are \(listed(names, isLong ? 5 : 8))"
      let page = isLong ? "; `rssi help \(noun == "filter" ? noun : "eval")` lists all" : ""
      throw RSSIError(.usage, "unknown \(noun) \"\(name)\"\(guess)\(list)\(page)")
    }
    return (kind, try ParameterValues(self, of: kind.parameters))
  }
}

/// A kind that a specification can name: a filter or an algorithm.
package protocol SpecifiedKind: Sendable {
  var name: String { get }
  /// A one-line description.
  var summary: String { get }
  var parameters: [Parameter] { get }
}

extension SpecifiedKind {
  /// The default values.
  ///
  /// - Precondition: No parameter is required.
  package var defaults: ParameterValues {
    guard let values = try? ParameterValues(Specification(name), of: parameters) else {
      preconditionFailure("\(name): a parameter is required")
    }
    return values
  }
}

extension Specification {
  /// Returns the texts of specifications in the pieces of a comma-separated list, such as
  /// `epta,kalman:speed=1,map=yes`.
  ///
  /// A piece such as `map=yes` is another parameter of the previous specification: the start of one
  /// has a colon before any equals sign, or neither.
  package static func texts(of pieces: [Substring]) -> [String] {
    var texts: [String] = []
    for piece in pieces {
      if piece.first(where: { $0 == "=" || $0 == ":" }) == "=", let last = texts.indices.last {
        texts[last] += "," + piece
      } else {
        texts.append(String(piece))
      }
    }
    return texts
  }

  /// Returns the text of a specification inside another's parameter, with commas between its
  /// parameters.
  ///
  /// Commas end a parameter, so those inside are written as +. A + that is not followed by `name=`
  /// belongs to a value, as between members or in 1e+3.
  package static func nested(_ text: String) -> String {
    let pieces = text.split(separator: "+", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(String(pieces[0])) { whole, piece in
      whole + (piece.contains("=") ? "," : "+") + piece
    }
  }
}
