import Positioning

/// Everything that was asked of `rssi locate` but the recordings themselves.
struct LocatePlan {
  let rule: EpochRule
  let asking: LocateOptions
  let place: PlaceOptions
  let spots: SpotOptions
  let calibration: String?
  let group: String?
  let algorithms: ChosenAlgorithms
  let site: EvalSite?
  let reporting: ReportingOptions

  /// The algorithm for nodes whose anchors have these names, and what it is called with all its
  /// settings.
  func algorithm(anchors: [String]) -> (any PositioningAlgorithm, name: String) {
    spots.drawing(algorithms.algorithm(0, anchors: anchors), named: algorithms.algorithms[0].name)
  }

  /// What is called the algorithm's name.
  var algorithmName: String { algorithm(anchors: []).name }

  /// Files that were read besides the recordings.
  var files: [String] {
    place.survey + [calibration, place.site, place.nodes].compactMap(\.self)
  }
}
