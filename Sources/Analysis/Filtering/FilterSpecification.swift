public import Support

/// A filter and its parameters as written on the command line: `kalman:q=0.5,r=9`.
public struct FilterSpecification: Sendable {
  public let kind: FilterKind
  package let parameters: FilterParameters
  /// As it was written.
  public let text: String

  /// - Throws: `RSSIError` for an unknown filter, parameter or value.
  public init(_ text: String) throws(RSSIError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let kind = FilterKind.all.first(where: { $0.name == name }) else {
      let names = FilterKind.all.map(\.name).joined(separator: ", ")
      throw RSSIError(
        .usage,
        "there is no filter \"\(name)\": there are \(names); parameters follow as in "
          + "kalman:q=0.5,r=9"
      )
    }
    var written: [String: String] = [:]
    if parts.count == 2 {
      for pair in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, written[String(sides[0])] == nil else {
          throw RSSIError(
            .usage, "\"\(pair)\" in \"\(text)\": write parameters once each, as name=value")
        }
        written[String(sides[0])] = String(sides[1])
      }
    }
    var parameters = FilterParameters()
    for parameter in kind.parameters {
      guard let value = written.removeValue(forKey: parameter.name) ?? parameter.fallback else {
        if let example = parameter.example {
          throw RSSIError(
            .usage,
            "\"\(text)\" needs \(parameter.name), \(parameter.summary), as in "
              + "\(parameter.name)=\(example)"
          )
        }
        continue
      }
      guard let number = parameter.value(value) else {
        throw RSSIError(
          .usage, "\(parameter.name)=\(value) in \"\(text)\": it must be \(parameter.range)")
      }
      parameters.values[parameter.name] = number
    }
    if let unknown = written.keys.sorted().first {
      throw RSSIError(
        .usage, "\"\(text)\": \(name) has no parameter \"\(unknown)\"\(Self.known(kind))")
    }
    guard (parameters.values["q"] == nil) == (parameters.values["r"] == nil) else {
      throw RSSIError(.usage, "\"\(text)\": give both q and r, or neither to have them estimated")
    }
    self.kind = kind
    self.parameters = parameters
    self.text = text
  }

  private static func known(_ kind: FilterKind) -> String {
    kind.parameters.isEmpty
      ? "" : "; it has \(kind.parameters.map(\.name).joined(separator: ", "))"
  }

  /// The filter's name in the file: `kalman`, `median`.
  public var name: String { kind.name }

  /// The model whose noise has to be estimated; nil where it is written, or not needed.
  public var missingNoise: NoiseModel? {
    parameters.values["q"] == nil ? kind.noiseModel : nil
  }

  /// The noise that is written; nil where none is.
  public var writtenNoise: Noise? {
    guard let q = parameters.optional("q"), let r = parameters.optional("r") else { return nil }
    return Noise(q: q, r: r)
  }
}
