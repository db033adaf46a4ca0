public import Evaluation
public import Positioning
public import Support

/// A radio map to learn: the survey, the settings and the output.
public struct MapRequest: Sendable {
  /// Traces with truth and with anchors, which in a building may be at unknown positions.
  public var inputs: [String] = []
  /// The file to write, for places of beacons a table of nodes; empty for none.
  public var output: String
  /// A calibration file, or a trace that contains one; nil in a building whose anchors are at
  /// unknown positions.
  public var calibration: String?
  /// The group of the calibration that all links use; nil = each link's own.
  public var group: String?
  /// Names of the traces to learn from; empty = all.
  public var trace: [String] = []
  /// The rule that places epochs in time; by default one every 2 s over a window of 2 s.
  public var epoch = EpochPlan.periodic(step: .seconds(2), window: .seconds(2))
  /// The instant whose truth counts; nil = the middle of raw windows, the end of filtered ones.
  public var truthAt: TruthInstant?
  /// The filter whose levels are used, `none` for the raw levels; nil = the trace's only filter.
  public var filtered: String?
  /// The correction that is added to the times of the truth.
  public var clockOffset: Duration = .zero
  /// A site file; it has places of anchors that the traces do not have.
  public var site: String?
  /// The coordinates of the map's places; the plane by default.
  public var dimensions = Surroundings.Dimensions.plane
  /// The height of the nodes that will be located, in metres, in the plane; nil = the median of the
  /// survey or, if the survey has no heights, of the anchors.
  public var height: Double?
  /// The standard deviation along the longer axis of the ellipse up to which a beacon is placed, in
  /// metres.
  public var largestDeviation = 5.0

  /// Creates a request to write a map.
  public init(output: String) { self.output = output }

  /// Refuses values that are out of range or exclude each other, whatever the inputs hold.
  public func check() throws(RSSIError) {
    if case .periodic(let step, let window) = epoch, step <= .zero || window <= .zero {
      throw RSSIError(
        .usage,
        "`epoch` \(written(duration: step)), `window` \(written(duration: window)): expected times "
          + "above 0 s")
    }
    if !(largestDeviation > 0 && largestDeviation <= 1000) {
      throw RSSIError(
        .usage,
        "`largestDeviation` \(plain(largestDeviation)): expected metres above 0 and up to 1000")
    }
    guard let height else { return }
    if !(abs(height) <= 1e6) {
      throw RSSIError(.usage, "`height` \(plain(height)): expected metres")
    }
    if dimensions == .space {
      throw RSSIError(
        .usage,
        "`height` and `dimensions` 3 do not go together: the height is either given or estimated")
    }
  }
}
