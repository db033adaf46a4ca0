public import ArgumentParser
import Positioning
import Rooms
import Support
import TracePipelines

/// The node and the times to locate.
struct LocateOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Use only this trace; repeatable.", valueName: "name"))
  var trace: [String] = []

  @Option(
    help: ArgumentHelp(
      "Locate only this moving node; repeatable (default: every node without a known position).",
      valueName: "node"))
  var node: [String] = []

  @Option(help: ArgumentHelp("Time between positions, \(LocateRequest.epochs).", valueName: "time"))
  var epoch = "1s"

  @Option(
    help: ArgumentHelp(
      "Time window of levels for each position, \(LocateRequest.epochs); trackers use all levels so far (default: the time between positions).",
      valueName: "time"))
  var window: String?

  @Option(
    help: ArgumentHelp(
      "Write each position this late, \(LocateRequest.lags), with what was received since; its time stays (trackers).",
      valueName: "time"))
  var lag = "0s"

  @Option(
    help: ArgumentHelp(
      "Times of positions: clock, at whole multiples of --epoch; truth, at the epochs of `rssi eval --truth-at end`.",
      valueName: "at"))
  var epochsOf = LocateRequest.Instants.clock

  @Option(
    help: ArgumentHelp(
      "Sightings up to this late are used, \(LocateRequest.reorders).", valueName: "time"))
  var reorder = "100ms"

  @Option(
    help: ArgumentHelp(
      "Stop locating a node after this time without a sighting, \(LocateRequest.silences).",
      valueName: "time"))
  var silence = "30s"

  @Option(
    help: ArgumentHelp(
      "Filter whose levels to use; none for the raw levels (default: the trace's only filter, if any).",
      valueName: "filter"))
  var filtered: String?

  /// Fills in a request.
  ///
  /// - Throws: `RSSIError` for what is not a time.
  func apply(to request: inout LocateRequest) throws {
    request.trace = trace
    request.node = node
    request.epoch = try time(epoch, "--epoch", LocateRequest.epochs)
    request.window = try window.map { try time($0, "--window", LocateRequest.epochs) }
    request.lag = try time(lag, "--lag", LocateRequest.lags)
    request.epochsOf = epochsOf
    request.reorder = try time(reorder, "--reorder", LocateRequest.reorders)
    request.silence = try time(silence, "--silence", LocateRequest.silences)
    request.filtered = filtered
  }
}

extension LocateRequest.Instants: ExpressibleByArgument {}

/// The use of the site's spots.
struct SpotOptions: ParsableArguments {
  @Flag(help: "Attract positions to the site's spots, like the algorithm attract of `rssi eval`.")
  var spots = false

  @Option(help: ArgumentHelp("With --spots: strength of the attraction, in m³.", valueName: "m³"))
  var spotPower = 0.1

  @Option(
    help: ArgumentHelp(
      "With --spots: dead zone around each spot where positions are not attracted, in metres.",
      valueName: "metres"))
  var spotDeadZone = 0.2

  @Flag(
    help: "Print an event as a line of JSON when a node reaches or leaves a spot or a trained room."
  )
  var events = false

  @Option(
    help: ArgumentHelp(
      "With --events: run this program for each event, with the event on its standard input.",
      valueName: "program"), completion: .file())
  var onEvent: String?

  @Option(
    help: ArgumentHelp(
      "Distance within which a node counts as being at a spot, in metres.", valueName: "metres"))
  var spotRadius = SpotWatch.Rule().radius

  @Option(help: ArgumentHelp("Probability above which a node has reached a spot.", valueName: "p"))
  var spotReached = SpotWatch.Rule().reached

  @Option(help: ArgumentHelp("Probability below which a node has left a spot.", valueName: "p"))
  var spotLeft = SpotWatch.Rule().left

  /// Fills in a request.
  ///
  /// - Throws: `RSSIError` for a program that gets no event.
  func apply(to request: inout LocateRequest) throws {
    if onEvent != nil, !events { throw RSSIError(.usage, "--on-event goes with --events") }
    request.spots = spots
    request.spotPower = spotPower
    request.spotDeadZone = spotDeadZone
    request.events = events
    request.spotRule = SpotWatch.Rule(
      radius: spotRadius, reached: spotReached, left: spotLeft)
  }
}

/// The site, the survey, the rooms and the height of nodes.
struct PlaceOptions: ParsableArguments {
  @OptionGroup var place: SiteOptions

  @Option(
    help: ArgumentHelp(
      "CSV file of beacons and receivers, with positions of the fixed ones that are missing from the traces.",
      valueName: "file"), completion: .file())
  var nodes: InputPath?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Height of the nodes in metres, with 2 dimensions (default: the median of the survey or, without one, of the anchors).",
      valueName: "metres"))
  var height: Double?

  @Option(
    help: ArgumentHelp(
      "Trace with truth that algorithms learn the site from; repeatable.", valueName: "file"),
    completion: .file())
  var survey: [InputPath] = []

  @Option(
    help: ArgumentHelp(
      "Radio map written by `rssi map`, instead of --survey; it holds a calibration.",
      valueName: "file"), completion: .file())
  var radioMap: InputPath?

  @OptionGroup var inRooms: TrainedRoomOptions

  var site: String? { place.site?.path }

  /// Fills in a request.
  ///
  /// - Throws: `RSSIError` for a number of dimensions that does not exist.
  func apply(to request: inout LocateRequest) throws {
    request.site = site
    request.nodes = nodes?.path
    request.bounds = place.bounds
    request.dimensions = try place.shape()
    request.height = height
    request.survey = survey.paths
    request.radioMap = radioMap?.path
    inRooms.apply(to: &request)
  }
}

/// The trained rooms, and the probability at which one is announced.
struct TrainedRoomOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Rooms written by `rssi rooms train`; without a calibration, only they are found.",
      valueName: "file"), completion: .file())
  var rooms: InputPath?

  @Option(
    help: ArgumentHelp(
      "With --rooms: probability at which a room is announced.", valueName: "p"))
  var announce = RoomAnnouncement.defaultThreshold

  /// Fills in a request.
  func apply(to request: inout LocateRequest) {
    request.rooms = rooms?.path
    request.announce = announce
  }
}
