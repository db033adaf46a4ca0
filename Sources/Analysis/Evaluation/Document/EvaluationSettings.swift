/// How the questions were asked.
public struct EvaluationSettings: Equatable, Codable, Sendable {
  /// How scoring was kept apart from fitting.
  public enum Separation: String, Codable, Sendable {
    /// The constants come from other recordings.
    case otherRecordings
    /// Each trace was scored with what was fitted and learned on the others.
    case crossValidated
    /// Readings were scored that were fitted or learned from: the errors flatter.
    case inSample
    /// The constants do not show what they were fitted on.
    case unknown
  }

  /// What intervals resample, and tests take as independent.
  public enum Resampled: Equatable, Codable, Sendable {
    /// The traces.
    case traces
    /// With all their visits.
    case places
    /// Stretches of this length of each trace, nanoseconds.
    case blocks(Int64)

    /// One of them.
    public var name: String {
      switch self {
      case .traces: "trace"
      case .places: "place"
      case .blocks: "block"
      }
    }

    /// Several of them.
    public var plural: String { name + "s" }

    /// A count of them, such as `1 place` or `3 places`.
    public func counted(_ count: Int) -> String { "\(count) \(count == 1 ? name : plural)" }
  }

  /// A setting without a place of its own.
  public struct Other: Equatable, Codable, Sendable {
    /// What it is, in words or as the option's name.
    public var name: String
    /// The value of the setting.
    public var value: String

    /// Creates a setting.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// When positions were asked, as written: `2s`, `stay` or `place`.
  public var epoch: String
  /// The length of each window, as written; nil = as long as the epoch.
  public var window: String?
  /// The truth that counts: `middle` or `end` of the window, or `stop`.
  public var truthAt: String
  /// What is added to the times of the truth, as written, or `estimate`.
  public var clockOffset: String
  /// The levels: `raw`, or the filter that made them.
  public var levels: String
  /// `plane` or `space`.
  public var dimensions: String
  /// Where targets are in height, in the plane: `anchors`, `truth` or metres; nil in space.
  public var height: String?
  /// The way in which scored readings are kept apart from fitted ones.
  public var separation: Separation
  /// What each fit leaves out: `traces` or `places`; nil = nothing is cross-validated.
  public var crossValidation: String?
  /// The largest share of scored readings that were fitted or learned from, or that two scored
  /// traces have in common; nil where it is not known.
  public var sharedShare: Double?
  /// The units that intervals draw and tests compare.
  public var resampled: Resampled
  /// Anything else that was set, in the order to be shown.
  public var others: [Other]

  /// Creates settings.
  public init(
    epoch: String, window: String? = nil, truthAt: String, clockOffset: String = "0s",
    levels: String, dimensions: String = "plane", height: String? = "anchors",
    separation: Separation, crossValidation: String? = nil, sharedShare: Double? = 0,
    resampled: Resampled = .traces, others: [Other] = []
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
    self.others = others
  }
}
