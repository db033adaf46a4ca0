public import Support

/// A filter and its parameters as written on the command line: `kalman:q=0.5,r=9`.
///
/// ```swift
/// let filter = try FilterSpecification("kalman:q=0.5,r=9")
/// print(filter.name)
/// ```
public struct FilterSpecification: Sendable {
  /// The kind of filter.
  public let kind: FilterKind
  package let parameters: ParameterValues
  /// The specification as the user wrote it.
  public let text: String

  /// Creates a specification from its text, such as `kalman:q=0.5,r=9`.
  ///
  /// - Throws: `RSSIError` for an unknown filter, parameter or value.
  public init(_ text: String) throws(RSSIError) {
    (kind, parameters) = try Specification(text).resolved(among: FilterKind.all, as: "filter")
    self.text = text
    guard (parameters.optional("q") == nil) == (parameters.optional("r") == nil) else {
      throw RSSIError(.usage, "\"\(text)\": give both q and r, or neither to have them estimated")
    }
  }

  /// A filter with its defaults.
  private init(_ kind: FilterKind) {
    (self.kind, parameters, text) = (kind, kind.defaults, kind.name)
  }

  /// The filter's name in the file: `kalman`, `median`.
  public var name: String { kind.name }

  /// The model whose noise has to be estimated; nil where it is written, or not needed.
  public var missingNoise: NoiseModel? {
    guard writtenNoise == nil else { return nil }
    return kind.estimatedModel?(parameters) ?? kind.noiseModel
  }

  /// The filter that takes its place where its noise can only be learned on the way.
  var learning: FilterSpecification {
    guard missingNoise == .randomWalk, kind.name == FilterKind.kalman.name else { return self }
    return FilterSpecification(.multipleModel)
  }

  /// The noise that is written; nil where none is.
  public var writtenNoise: Noise? { parameters.noise }
}

extension Parameter {
  /// q and r of the random walk, estimated where they are left out.
  static let noise: [Parameter] = [
    .number("q", in: 0...1e9, unit: "dB²/s", "how much the mean level wanders"), noiseOfLevel,
  ]
  static let noiseOfLevel = Parameter.number(
    "r", in: 1e-9...1e9, unit: "dB²", "noise of a single level")
}

extension ParameterValues {
  /// The noise that is written; nil where none is.
  var noise: Noise? {
    guard let q = optional("q"), let r = optional("r") else { return nil }
    return Noise(q: q, r: r)
  }
}
