/// Which traces to put into one, and what of them.
package struct TraceMergeRequest: Sendable {
  package var inputs: [String]
  package var output: String
  package var selection = SightingSelection()
  /// Whether calibrations are left out.
  package var withoutCalibration = false
  /// What the provenance calls it.
  package var stage = "merge"

  package init(_ inputs: [String], to output: String) {
    (self.inputs, self.output) = (inputs, output)
  }
}

/// What a merge wrote.
package struct TraceMergeResult: Equatable, Sendable {
  package struct Part: Equatable, Sendable {
    package var file: String
    package var sightings: Int
  }

  package var path: String
  package var sightings: Int
  package var parts: [Part]
}
