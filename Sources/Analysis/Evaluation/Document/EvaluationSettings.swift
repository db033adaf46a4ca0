/// The settings of an evaluation.
public struct EvaluationSettings: Equatable, Codable, Sendable {
  /// The separation of scored data from fitted data.
  public enum Separation: String, Codable, Sendable {
    /// The constants come from other recordings.
    case otherRecordings
    /// Each trace was scored with constants fitted and learned on the others.
    case crossValidated
    /// Some scored readings were also used for fitting or learning, so the errors are optimistic.
    case inSample
    /// The origin of the constants is unknown.
    case unknown
  }

  /// The unit that intervals resample and tests treat as independent.
  public enum Resampled: Equatable, Codable, Sendable {
    /// The traces.
    case traces
    /// Places, each with all its visits.
    case places
    /// Blocks of each trace of this length, in nanoseconds.
    case blocks(Int64)

    /// The singular of the unit.
    public var name: String {
      switch self {
      case .traces: "trace"
      case .places: "place"
      case .blocks: "block"
      }
    }

    /// The plural of the unit.
    public var plural: String { name + "s" }

    /// Returns a count of the unit, such as `1 place` or `3 places`.
    public func counted(_ count: Int) -> String { "\(count) \(count == 1 ? name : plural)" }
  }

  /// A setting without its own property.
  public struct Other: Equatable, Codable, Sendable {
    /// The name in words, or that of the option.
    public var name: String
    /// The value of the setting.
    public var value: String

    /// Creates a setting.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The schedule of the questions, as written: `2s`, `stay` or `place`.
  public var epoch: String
  /// The length of each window, as written; `nil` for that of the epoch.
  public var window: String?
  /// The time of the truth: `middle` or `end` of the window, or `stop`.
  public var truthAt: String
  /// The offset added to the times of the truth, as written, or `estimate`.
  public var clockOffset: String
  /// The levels: `raw`, or the name of a filter.
  public var levels: String
  /// `plane` or `space`.
  public var dimensions: String
  /// The height of targets in the plane: `anchors`, `truth` or metres; `nil` in space.
  public var height: String?
  /// The separation of scored readings from fitted ones.
  public var separation: Separation
  /// The unit that each fit leaves out: `traces` or `places`; `nil` without cross-validation.
  public var crossValidation: String?
  /// The largest share of scored readings that were also used for fitting or learning, or that two
  /// scored traces have in common; `nil` if it is unknown.
  public var sharedShare: Double?
  /// The unit that intervals resample and tests compare.
  public var resampled: Resampled
  /// The margin of tests of equivalence, in metres; `nil` for none.
  public var margin: Double?
  /// All other settings, in the order of display.
  public var others: [Other]

  /// Creates settings.
  public init(
    epoch: String, window: String? = nil, truthAt: String, clockOffset: String = "0s",
    levels: String, dimensions: String = "plane", height: String? = "anchors",
    separation: Separation, crossValidation: String? = nil, sharedShare: Double? = 0,
    resampled: Resampled = .traces, margin: Double? = nil, others: [Other] = []
  ) {
    self.epoch = epoch
    self.window = window
    self.truthAt = truthAt
    self.clockOffset = clockOffset
    self.levels = levels
    self.dimensions = dimensions
    self.height = height
    self.separation = separation
    self.crossValidation = crossValidation
    self.sharedShare = sharedShare
    self.resampled = resampled
    self.margin = margin
    self.others = others
  }
}
