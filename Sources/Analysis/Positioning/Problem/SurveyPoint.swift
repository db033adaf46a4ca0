public import Geometry

/// What was heard at a known place, for algorithms that learn a site: one row of a radio map.
public struct SurveyPoint: Equatable, Sendable {
  public var place: Point
  /// Metres above the reference level; nil where it is not known.
  public var height: Double?
  /// The mean level in dBm of each anchor that was heard there, by the anchor's number, with the
  /// packets behind it.
  public var levels: [Reading]
  /// The recording it comes from: points of one recording share its peculiarities.
  public var trace: Int

  public init(place: Point, height: Double? = nil, levels: [Reading], trace: Int = 0) {
    self.place = place
    self.height = height
    self.levels = levels
    self.trace = trace
  }
}
