public import Filtering
public import PathLoss
public import Proximity
public import Recordings
public import Registries
import Sightings
public import Support
public import TracePipelines

/// A watch: its input, its regions, and the thresholds of changes.
public struct WatchRequest {
  /// The input to watch.
  public var input = WatchInput.standardInput
  /// The columns of tables of other programs.
  public var columns = ColumnMap()
  /// The receiver of events and rangings, which is finished at the end.
  public var output: any WatchOutput = WatchOutputs([])
  /// The regions to watch; by default one that contains every beacon.
  public var regions = [Region(name: "all")]
  /// The one beacon to search for, as the user named it; nil watches the regions.
  public var seek: String?
  /// The thresholds that define a change.
  public var settings = WatchSettings()
  /// Causal filters of the levels.
  public var filter: [FilterSpecification] = []
  /// The calibration that converts levels to distances, and the name of its file.
  public var calibration: (Calibration, path: String)?
  /// The names, powers and ranges of beacons.
  public var registry = Registry()
  /// The name of a live receiver, in place of the source's.
  public var receiver: String?
  /// The request to locate nodes by the same sightings, with trained rooms or a calibration; nil
  /// watches beacons alone.
  public var locating: LocateBasis?
  /// The receiver of positions, if nodes are located.
  public var positions: any PositionSink = PositionSinks([])

  /// The permitted times between rangings.
  public static let periods = DurationRange(
    .milliseconds(100)...Duration.seconds(60), such: "500ms or 1s")

  /// Creates a request to watch the standard input.
  public init() {}

  /// Refuses a watch that cannot run.
  ///
  /// - Throws: `RSSIError` for values that a watch cannot use.
  public func check() throws(RSSIError) {
    try Self.periods.require(settings.period, "`every`")
    let borders = settings.borders
    guard borders.immediate > 0, borders.immediate < borders.near, borders.near <= 1e4 else {
      throw RSSIError(
        .usage, "`zones`: expected two distances in metres, the smaller first, such as 0.5,3")
    }
    guard (0...30).contains(settings.hysteresis) else {
      throw RSSIError(.usage, "`hysteresis` \(settings.hysteresis): expected 0 to 30 dB")
    }
    if let late = filter.first(where: { !$0.kind.isCausal }) {
      throw RSSIError(
        .usage,
        "`filter` \(late.name) needs later levels, but watch reports at once: choose a causal "
          + "one, such as kalman"
      )
    }
    if let (calibration, path) = calibration {
      try DistanceModels.requireDistances(of: calibration, path)
    }
  }
}

/// The origin of the sightings to watch.
public enum WatchInput: Sendable {
  /// Recordings, tables and traces, which are read at once, one after the other.
  case files([String])
  /// A trace that a capture writes now.
  case followed(String)
  /// Lines of the standard input.
  case standardInput
  /// A source to listen to.
  case source(SourceRequest)

  /// The name of the input, for messages.
  var name: String {
    switch self {
    case .files(let files): files.first ?? ""
    case .followed(let file): file
    case .standardInput: "-"
    case .source(let source): source.name.description
    }
  }

  /// The nodes of a replayed recording, whose places are known; none for other inputs.
  func recordedNodes() throws -> Catalogue {
    if case .source(let source) = self { try source.name.recordedNodes() } else { Catalogue() }
  }

  var isFiles: Bool {
    if case .files = self { true } else { false }
  }

  var isSource: Bool {
    if case .source = self { true } else { false }
  }
}
