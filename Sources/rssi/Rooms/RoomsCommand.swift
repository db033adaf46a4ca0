import ArgumentParser
import Reporting
import Support
import TracePipelines

struct RoomsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rooms",
    abstract: "Learn the levels in each room, and score how well rooms are told apart.",
    discussion: """
      Rooms need no coordinates: record a minute in each, and name the times. `rssi locate` and `rssi \
      serve` then tell the room of a node with its probability (--rooms).

      EXAMPLES:
        rssi rooms train home.h5 --labels stays.csv -o rooms.json
        rssi rooms eval later.h5 --labels later.csv --rooms rooms.json
        rssi locate today.h5 --rooms rooms.json
      """,
    subcommands: [RoomsTrainCommand.self, RoomsEvalCommand.self])
}

/// The recordings whose rooms are known.
struct StayOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Traces, and folders of traces.", valueName: "file"), completion: .file())
  var inputs: [InputPath]

  @Option(
    help: ArgumentHelp(
      "CSV file of stays: room, start_s, end_s, and optionally trace and node (default: the truth of the traces, in the rooms of the site).",
      valueName: "file"), completion: .file())
  var labels: InputPath?

  @Option(
    help: ArgumentHelp(
      "Site file (TOML) with rooms, doors and anchors.", valueName: "file"), completion: .file())
  var site: SitePath?

  @Option(
    help: ArgumentHelp(
      "Node that was in the rooms, if several move and the stays name none.", valueName: "node"))
  var node: String?
}

struct RoomsTrainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Learn the levels in each room from recordings whose rooms are known.",
    discussion: """
      Rooms come from a table of stays, or from the truth of the traces and the rooms of a site. Each \
      recording, or a third of each stay, is held out once to show how good the result is. A stay \
      named `outside` is one out of the house.

      EXAMPLES:
        rssi rooms train home.h5 --labels stays.csv -o rooms.json
        rssi rooms train walk-*.h5 --site site.toml -o rooms.json
      """)

  @OptionGroup var labelled: StayOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("File of rooms to write (JSON).", valueName: "file"),
    completion: .file())
  var output: OutputPath

  @Option(
    help: ArgumentHelp(
      "Length of the windows of levels, \(RoomTrainRequest.epochs).", valueName: "time"))
  var epoch = "1s"

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var request = RoomTrainRequest(try inputFiles(labelled.inputs.paths))
    request.labels = labelled.labels?.path
    request.site = labelled.site?.path
    request.node = labelled.node
    request.epoch = try time(epoch, "--epoch", RoomTrainRequest.epochs)
    let result = try RoomTrainStage(request).run(in: reporting.context)
    try writeOutput(try jsonText(result.file), to: output.path)
    for note in result.notes { reporting.warn(note) }
    let report = RoomTrainReport(result, at: output.path)
    try reporting.report(report.json, text: report.text)
  }
}

struct RoomsEvalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval",
    abstract: "Score trained rooms on other recordings whose rooms are known.",
    discussion: """
      Shows the share of time in the right room, false changes per hour, the delay, the confusion of \
      rooms and the calibration of their probabilities, beside the room of the nearest anchor and, \
      with --calibration or --radio-map, that of the position. Recordings that the rooms were trained \
      on are not scored.

      EXAMPLES:
        rssi rooms eval later.h5 --labels later.csv --rooms rooms.json
        rssi rooms eval walks.h5 --site site.toml --rooms rooms.json \\
          --calibration calibration.json
      """)

  @OptionGroup var labelled: StayOptions

  @Option(
    help: ArgumentHelp("Rooms written by `rssi rooms train`.", valueName: "file"),
    completion: .file())
  var rooms: InputPath

  @Option(
    help: ArgumentHelp("Probability above which a room is announced.", valueName: "p"))
  var announce = RoomEvaluationRequest([], rooms: "").threshold

  @Option(
    help: ArgumentHelp(
      "Time for which the late answers wait, \(RoomEvaluationRequest.lags).", valueName: "time"))
  var lag = "10s"

  @Option(
    help: ArgumentHelp(
      "Calibration written by `rssi fit -o`, to compare the rooms of positions.",
      valueName: "file"), completion: .file())
  var calibration: InputPath?

  @Option(
    help: ArgumentHelp(
      "Radio map written by `rssi map`, to compare the rooms of positions.", valueName: "file"),
    completion: .file())
  var radioMap: InputPath?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var request = RoomEvaluationRequest(
      try inputFiles(labelled.inputs.paths), rooms: rooms.path)
    request.labels = labelled.labels?.path
    request.site = labelled.site?.path
    request.node = labelled.node
    request.threshold = announce
    request.lag = try time(lag, "--lag", RoomEvaluationRequest.lags)
    if calibration != nil || radioMap != nil {
      var positions = LocateRequest()
      positions.calibration = calibration?.path
      positions.radioMap = radioMap?.path
      positions.site = labelled.site?.path
      try positions.check()
      request.positions = positions
    }
    let result = try RoomEvaluationStage(request).run(in: reporting.context)
    for note in result.notes { reporting.warn(note) }
    let report = RoomEvaluationReport(result)
    try reporting.report(report.json, text: report.text)
  }
}
