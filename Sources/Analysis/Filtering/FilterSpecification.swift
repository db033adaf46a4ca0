public import Support

/// A filter with its parameters, as written on the command line: `kalman:q=0.5,r=9`.
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
      throw RSSIError(.usage, "\"\(text)\": give both q and r, or neither to estimate them")
    }
  }

  /// Creates a filter with its default parameters.
  private init(_ kind: FilterKind) {
    (self.kind, parameters, text) = (kind, kind.defaults, kind.name)
  }

  /// The filter's name in the file, such as `kalman` or `median`.
  public var name: String { kind.name }

  /// The noise model to estimate; `nil` if the noise is given, or not needed.
  public var missingNoise: NoiseModel? {
    if let model = kind.estimatedModel { return model(parameters) }
    return writtenNoise == nil ? kind.noiseModel : nil
  }

  /// The filter to use instead if its noise can only be learned online.
  var learning: FilterSpecification {
    guard missingNoise == .randomWalk, kind.name == FilterKind.kalman.name else { return self }
    return FilterSpecification(.multipleModel)
  }

  /// The given noise; `nil` if none is given.
  public var writtenNoise: Noise? { parameters.noise }
}

extension Parameter {
  /// The parameters q and r of the random walk, which are estimated by default.
  static let noise: [Parameter] = [
    .number("q", in: 0...1e9, unit: "dB²/s", "process noise of the mean level"), noiseOfLevel,
  ]
  static let noiseOfLevel = Parameter.number(
    "r", in: 1e-9...1e9, unit: "dB²", "measurement noise of a level")
}

extension ParameterValues {
  /// The given noise; `nil` if none is given.
  var noise: Noise? {
    guard let q = optional("q"), let r = optional("r") else { return nil }
    return Noise(q: q, r: r)
  }
}
