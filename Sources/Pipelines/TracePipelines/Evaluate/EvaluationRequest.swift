public import Evaluation
public import Geometry
public import PathLoss
public import Positioning
public import Registries
public import Support

/// A comparison of algorithms: the recordings, the algorithms and the prior knowledge.
public struct EvaluationRequest: Sendable {
  /// Traces with truth and with anchors at known positions.
  public var inputs: [String] = []
  /// Algorithms by their names with parameters, `all` that can answer, and `exec:` with a program.
  public var algorithms = ["all"]
  /// Algorithms of the caller, compared with those; each needs a name that no other algorithm has.
  public var ownAlgorithms: [any PositioningAlgorithm] = []
  /// Programs that compete under names of their own.
  package var programs: [(name: String, command: String)] = []
  /// The receiver of the computing times; `nil` if they are not measured.
  var times: AnswerTimes?
  /// The longest time that a program may take for one answer.
  public var patience: Duration = .seconds(10)

  /// Calibrations that are compared: files, or traces that contain one; empty with `crossValidate`.
  public var calibrations: [String] = []
  /// The group of the calibration that all links use; nil = each link's own.
  public var group: String?
  /// The unit that each fit leaves out and is scored on; nil with `calibration`.
  public var crossValidate: CrossValidation?
  /// The number of folds into which traces are drawn with `crossValidate` traces; nil = one per
  /// trace.
  public var folds: Int?
  /// The grouping of the fits; nil = pooled.
  public var by: Grouping?
  /// The estimator of the fits; nil = least squares.
  public var estimator: PathLossEstimator?
  /// The devices whose channel offsets the fits estimate; nil = none.
  public var channelOffsets: ChannelOffsetScope?
  /// Traces with truth that algorithms learn the site from, and that are not scored.
  public var survey: [String] = []
  /// A radio map that was learned before, instead of a survey; nil = none. If `calibrations` is
  /// empty, its constants are used.
  public var radioMap: String?
  /// A Boolean value that is true if traces are scored that the constants were fitted on.
  public var inSample = false

  /// Names of the traces to evaluate; empty = all.
  public var trace: [String] = []
  /// The folds to answer, where other processes answer the others; nil = all.
  public var share: EvaluationShare?
  /// The rule that places questions in time; by default one question every 2 s over a window of 2
  /// s.
  public var epoch = EpochPlan.periodic(step: .seconds(2), window: .seconds(2))
  /// The permitted times between epochs.
  public static let epochs = DurationRange(
    DurationRange.any.bounds, such: "2s or 500ms, or stay, or place")
  /// The instant whose truth counts; nil = the middle of raw windows, the end of filtered ones.
  public var truthAt: TruthInstant?
  /// Filters whose levels are compared, `none` for the raw ones, and `all` for these and every
  /// filter that all inputs have; empty = each input's only filter, or the raw levels.
  public var filters: [String] = []
  /// An earlier evaluation of the same questions, to compare with.
  public var against: EarlierEvaluation?
  /// The correction that is added to the times of the truth; nil = it is estimated.
  public var clockOffset: Duration? = .zero

  /// The corrections that may be added to the times of the truth.
  public static let clockOffsets = DurationRange(
    (.zero - DurationRange.longest)...DurationRange.longest, such: "300ms or -1.5s, or estimate")

  /// The length of the blocks of time that count as independent in intervals and tests;
  /// nil = whole traces, or places.
  public var intervalBlock: Duration?
  /// The difference of two algorithms in metres that does not matter, for tests of equivalence;
  /// nil = no tests.
  public var equivalence: Double?

  /// The permitted margins of equivalence, in metres.
  public static let equivalences = 0.001...1000.0

  /// The names of the anchors; a trace's own names are used if this has none.
  public var names = BeaconNames.none
  /// A Boolean value that is true if the floor plan of a report shows the site's floor picture.
  public var showsFloor = false
  /// A site file; it has places of anchors that the traces do not have.
  public var site: String?
  /// The search area; nil = the rectangle around the site's rooms and walls, or around the anchors.
  public var bounds: Bounds?
  /// The coordinates to estimate; the plane by default.
  public var dimensions = Surroundings.Dimensions.plane
  /// The height at which targets are located in the plane.
  public var height = TargetHeight.anchors

  /// Creates a request without inputs.
  public init() {}

  /// A Boolean value that is true if there are recordings, or a map, from which a site can be
  /// learned.
  public var hasSurvey: Bool { crossValidate != nil || !survey.isEmpty || radioMap != nil }

  /// A Boolean value that is true if fits of a cross-validation have offsets of channels.
  var fitsChannelOffsets: Bool { channelOffsets.map { $0 != .none } ?? false }

  /// The refusal of a request without path-loss constants.
  static let missingConstants =
    "give the path-loss constants with `calibration`, or have them fitted with `crossValidate` "
    + "traces"

  /// Refuses values that are out of range or exclude each other, whatever the inputs hold.
  public func check() throws(RSSIError) {
    try refuse(
      calibrations.isEmpty && !hasSurvey, Self.missingConstants)
    try refuse(
      !calibrations.isEmpty && crossValidate != nil,
      "`calibration` and `crossValidate` do not go together: one has constants, the other fits "
        + "them")
    try refuse(
      radioMap != nil && crossValidate != nil,
      "`radioMap` and `crossValidate` do not go together: the map was learned with one fit from "
        + "recordings that a fold leaves out; give the traces as `survey`, or a `calibration`")
    try refuse(
      radioMap != nil && !survey.isEmpty,
      "`radioMap` and `survey` do not go together: a map holds its survey; learn one from all with "
        + "`rssi map`")
    try refuse(
      crossValidate == .places && !epoch.areStops,
      "`crossValidate` places goes with `epoch` stay or `epoch` place: on a walk every epoch is a "
        + "separate place, and its neighbours would be learned from")
    try refuse(
      folds != nil && crossValidate != .traces,
      "`folds` goes with `crossValidate` traces: the traces are drawn into so many folds")
    try refuse(
      folds.map { $0 < 2 } ?? false,
      "`folds` must be at least 2: each fold is located by what the others learn")
    try refuse(
      crossValidate == nil && by != nil,
      "`by` goes with `crossValidate`: a calibration has its groups already")
    try refuse(
      crossValidate == nil && estimator != nil,
      "`estimator` goes with `crossValidate`: a calibration is fitted already")
    try refuse(
      crossValidate == nil && channelOffsets != nil,
      "`channelOffsets` goes with `crossValidate`: a calibration has its offsets already")
    try refuse(
      crossValidate != nil && group != nil,
      "`group` goes with `calibration`, not with `crossValidate`")
    try refuse(
      crossValidate != nil && inSample,
      "`inSample` does not go with `crossValidate`, which never scores what it fitted")
    if case .metres(let height) = height {
      try refuse(!(abs(height) <= 1e6), "`height` \(plain(height)): expected metres, or truth")
    }
    try refuse(
      height != .anchors && dimensions == .space,
      "`height` and `dimensions` 3 do not go together: the height is either given or estimated")
    if case .periodic(let step, let window) = epoch {
      try Self.epochs.require(step, "`epoch`")
      try DurationRange.any.require(window, "`window`")
    }
    if let clockOffset { try Self.clockOffsets.require(clockOffset, "`clockOffset`") }
    try check(share)
    if let equivalence {
      try refuse(
        !Self.equivalences.contains(equivalence),
        "`equivalence` \(plain(equivalence)): expected metres from "
          + "\(plain(Self.equivalences.lowerBound)) to \(plain(Self.equivalences.upperBound))")
    }
    if let intervalBlock {
      try DurationRange.any.require(intervalBlock, "`intervalBlock`")
      try refuse(
        clockOffset == nil,
        "`intervalBlock` does not go with `clockOffset` estimate, which needs whole traces")
    }
    _ = try chosenAlgorithms
  }

  private func check(_ share: EvaluationShare?) throws(RSSIError) {
    switch share {
    case nil: return
    case .folds(let number, let count):
      try refuse(
        !(1...max(1, count)).contains(number) || count < 1,
        "`share` \(number)/\(count): expected NUMBER/COUNT, such as 1/8")
    case .traces:
      try refuse(
        crossValidate == .places,
        "traces have places of `crossValidate` places in common: choose the folds of a part with "
          + "`share`, such as 1/8")
    }
  }

  package var chosenAlgorithms: [ChosenAlgorithm] {
    get throws(RSSIError) {
      let named =
        algorithms.isEmpty && !ownAlgorithms.isEmpty
        ? [] : try ChosenAlgorithm.named(algorithms, patience: patience, withSurvey: hasSurvey)
      var names = Set(named.map(\.name))
      for name in ownAlgorithms.map(\.name) + programs.map(\.name)
      where name.isEmpty || !names.insert(name).inserted {
        throw RSSIError(
          .usage,
          name.isEmpty ? "an algorithm has no name" : "two algorithms are named \"\(name)\"",
          advice: "give each of `ownAlgorithms` a name of its own")
      }
      return try named + ownAlgorithms.map { ChosenAlgorithm($0) }
        + programs.map { program throws(RSSIError) in
          try ChosenAlgorithm("exec:\(program.command)", patience: patience, named: program.name)
        }
    }
  }

  private func refuse(_ isWrong: Bool, _ problem: String) throws(RSSIError) {
    if isWrong { throw RSSIError(.usage, problem) }
  }
}

/// The folds of an evaluation that one of several processes answers.
///
/// A fold is the unit that one fit leaves out: a trace or a place. With given constants it is a
/// trace, for each node that moves in it.
public enum EvaluationShare: Equatable, Sendable {
  /// The folds that score traces with these names.
  case traces([String])
  /// One of several shares, from 1; neighbours are in different ones, so that all are about as much
  /// work.
  case folds(Int, of: Int)

  func has(fold number: Int, traces: Set<String>) -> Bool {
    switch self {
    case .traces(let names): !traces.isDisjoint(with: names)
    case .folds(let one, let count): number % count == one - 1
    }
  }
}

/// The height at which targets are located if only their place in the plane is estimated.
public enum TargetHeight: Equatable, CustomStringConvertible, Sendable {
  /// The median height of the survey or, if the survey has no heights, of the anchors: the default,
  /// if no height was measured.
  case anchors
  /// Metres above the site's zero of heights.
  case metres(Double)
  /// The median height of each target's truth.
  case truth

  public var description: String {
    switch self {
    case .anchors: "anchors"
    case .metres(let height): plain(height)
    case .truth: "truth"
    }
  }
}

/// The unit that each fit of a cross-validation leaves out.
public enum CrossValidation: String, CaseIterable, Sendable {
  /// A whole recording: nothing of the walk that is scored was fitted.
  case traces
  /// One surveyed place with all its visits, for recordings that stand at many places.
  case places
}
