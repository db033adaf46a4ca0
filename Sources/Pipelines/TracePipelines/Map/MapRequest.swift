package import Evaluation
package import Positioning
package import Support

/// What a radio map is learned from, and where it is written.
package struct MapRequest: Sendable {
  /// Traces with truth and with anchors at known positions.
  package var inputs: [String] = []
  /// The file to write.
  package var output: String
  /// A calibration file, or a trace that contains one.
  package var calibration = ""
  /// The group of the calibration that all links use; nil = each link's own.
  package var group: String?
  /// Names of the traces to learn from; empty = all.
  package var trace: [String] = []
  package var epoch = EpochPlan.periodic(step: 2_000_000_000, window: 2_000_000_000)
  /// The instant whose truth counts; nil = the middle of raw windows, the end of filtered ones.
  package var truthAt: TruthInstant?
  /// The filter whose levels are used, `none` for the raw levels; nil = the trace's only filter.
  package var filtered: String?
  /// Nanoseconds that are added to the times of the truth.
  package var clockOffset: Int64 = 0
  /// A site file; it has places of anchors that the traces do not have.
  package var site: String?
  package var dimensions = Surroundings.Dimensions.plane
  /// The height of the nodes that will be located, in metres, in the plane; nil = the median of the
  /// anchors.
  package var height: Double?

  package init(output: String) { self.output = output }

  /// Refuses values that are out of range or exclude each other, whatever the inputs hold.
  package func check() throws(RSSIError) {
    if calibration.isEmpty {
      throw RSSIError(
        .usage, "give the path-loss constants with `calibration`, as `rssi fit -o` writes them")
    }
    if case .periodic(let step, let window) = epoch, step <= 0 || window <= 0 {
      throw RSSIError(
        .usage,
        "`epoch` \(written(duration: step)), `window` \(written(duration: window)): write times "
          + "above 0 s")
    }
    guard let height else { return }
    if !(abs(height) <= 1e6) {
      throw RSSIError(.usage, "`height` \(plain(height)): write metres")
    }
    if dimensions == .space {
      throw RSSIError(
        .usage, "`height` and `dimensions` 3 do not go together: a height is known, or asked")
    }
  }
}
