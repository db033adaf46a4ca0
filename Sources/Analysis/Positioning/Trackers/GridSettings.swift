/// What can be set of the trackers on a grid.
package struct GridSettings: Equatable, Sendable {
  /// How fast the target moves, in m/s; see ``GridFilter``.
  package var speed = 1.0
  /// From how many standard deviations on a level says no more than one at just so many.
  package var cutoff = PosteriorMean.ordinaryCutoff
  /// Whether levels are expected as a survey taught them; refuses without one.
  package var usesMap = false
  /// Whether the silence of anchors with known reception counts.
  package var usesSilence = true

  package init() {}

  static let parameters = [
    AlgorithmParameter("speed", "of the target, in m/s", fallback: "1"),
    AlgorithmParameter("map", "yes: levels as learned from the survey", fallback: "no"),
    PosteriorMean.silence, PosteriorMean.cutoff,
  ]

  init(_ settings: inout AlgorithmSettings) throws(AlgorithmError) {
    speed = try settings.number("speed", or: 1, in: 0...100)
    cutoff = try settings.number("cutoff", or: PosteriorMean.ordinaryCutoff, in: 1...100)
    usesMap = try settings.flag("map", or: false)
    usesSilence = try settings.flag("silence", or: true)
  }
}
