package import Support

/// What can be set of the trackers on a grid.
package struct GridSettings: Equatable, Sendable {
  /// How fast the target moves, in m/s; see ``GridFilter``.
  package var speed: Double
  /// The number of standard deviations beyond which a level counts as one at that number.
  package var cutoff: Double
  /// Whether levels are expected as a survey taught them; refuses without one.
  package var usesMap: Bool
  /// Whether the silence of anchors with known reception counts.
  package var usesSilence: Bool
  /// How long a filter's answers wait for what is heard later, in nanoseconds.
  package var lag: Int64

  static let parameters: [Parameter] = [
    .number("speed", in: 0...100, unit: "m/s", default: "1", "speed of the target"), .map, .silence,
    .cutoff,
  ]

  package init(_ values: ParameterValues = GridFilter.kind.defaults) {
    (speed, cutoff) = (values.number("speed"), values.number("cutoff"))
    (usesMap, usesSilence) = (values.flag("map"), values.flag("silence"))
    lag = values.optionalNanoseconds("lag") ?? 0
  }
}
