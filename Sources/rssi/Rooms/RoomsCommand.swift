import ArgumentParser
import Reporting
import Rooms
import Support
import TracePipelines

struct RoomsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rooms",
    abstract: "Learn the levels in each room, and score rooms that were learned.",
    discussion: """
      Rooms need no coordinates: record some minutes in each, and name the times. The answers are \
      probabilities of rooms.

      EXAMPLES:
        rssi rooms train walks.h5 --site site.toml --trace walk-4 \\
          --trace walk-5 -o rooms.json
        rssi rooms eval walks.h5 --site site.toml --rooms rooms.json
      """,
    subcommands: [RoomsTrainCommand.self, RoomsEvalCommand.self])
}

/// The recordings whose rooms are known.
struct StayOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Traces, and folders of traces.", valueName: "file"), completion: .file())
  var inputs: [InputPath] = []

  @Option(help: ArgumentHelp("Use this trace only; repeatable.", valueName: "name"))
  var trace: [String] = []

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
    usage: "rssi rooms train [<options>] <file> ... --output <file>",
    discussion: """
      Rooms come from a table of stays, or from the truth of the traces and the rooms of a site. Each \
      recording, or a third of each stay, is held out once to show how good the result is. A stay \
      named `outside` is one out of the house.

      EXAMPLES:
        rssi rooms train walks.h5 --site site.toml -o rooms.json
        # a table of stays needs no site
        echo room,start_s,end_s > stays.csv && \\
          echo hall,1704067200,1704067230 >> stays.csv && \\
          echo bay,1704067230,1704067260 >> stays.csv && \\
          rssi rooms train walks.h5 --trace walk-1 --labels stays.csv -o my.json
      """)

  @OptionGroup var labelled: StayOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("File of rooms to write (JSON).", valueName: "file"),
    completion: .file())
  var output: OutputPath

  @Option(
    help: ArgumentHelp(
      "Radio map of `rssi map` whose levels in the rooms of --site are learned, instead of traces.",
      valueName: "file"), completion: .file())
  var radioMap: InputPath?

  @Option(
    help: ArgumentHelp(
      "Length of the windows of levels, \(RoomTrainRequest.epochs).", valueName: "time"))
  var epoch = "1s"

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let inputs = labelled.inputs.paths
    var request = RoomTrainRequest(inputs.isEmpty ? [] : try inputFiles(inputs))
    request.radioMap = radioMap?.path
    request.labels = labelled.labels?.path
    request.site = labelled.site?.path
    request.node = labelled.node
    request.trace = labelled.trace
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
    usage: "rssi rooms eval [<options>] <file> ... --rooms <file>",
    discussion: """
      Shows the share of time in the right room, false changes per hour, the delay, the confusion of \
      rooms and the calibration of their probabilities. The room of the nearest anchor is compared \
      and, with --calibration or --radio-map, that of the position. Recordings that the rooms were trained \
      on are not scored.

      EXAMPLES:
        rssi rooms train walks.h5 --site site.toml --trace walk-4 \\
          --trace walk-5 -o rooms.json && \\
          rssi rooms eval walks.h5 --site site.toml --rooms rooms.json
        # with another threshold and delay
        rssi rooms eval walks.h5 --site site.toml --rooms rooms.json \\
          --announce 0.9 --lag 5s
      """)

  @OptionGroup var labelled: StayOptions

  @Option(
    help: ArgumentHelp("Rooms written by `rssi rooms train`.", valueName: "file"),
    completion: .file())
  var rooms: InputPath

  @Option(
    help: ArgumentHelp("Probability above which a room is announced.", valueName: "p"))
  var announce = RoomAnnouncement.defaultThreshold

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

  @Option(
    help: ArgumentHelp("Page of the scores (.html); repeatable.", valueName: "file"),
    completion: .file())
  var report: [OutputPath] = []

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    for path in report.paths where !path.hasSuffix(".html") {
      throw RSSIError(.usage, "--report \(path): expected a name that ends in .html")
    }
    var request = RoomEvaluationRequest(
      try inputFiles(labelled.inputs.paths), rooms: rooms.path)
    request.labels = labelled.labels?.path
    request.site = labelled.site?.path
    request.node = labelled.node
    request.trace = labelled.trace
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
    for path in report.paths {
      try writeWhole(Array(RoomsPage(result, by: .program).text.utf8), to: path)
    }
    let summary = RoomEvaluationReport(result)
    try reporting.report(summary.json, text: summary.text)
    try reporting.wrote(report.paths)
  }
}
