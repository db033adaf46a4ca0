import ArgumentParser
import Plotting
import Registries
import Reporting
import Support
import TracePipelines

struct MapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Learn the radio map of a site from a survey.",
    discussion: """
      Reads traces with truth, and learns how the level of each anchor differs from its path-loss \
      curve from place to place, as `rssi eval` and `rssi locate` do with --survey. They read the \
      file with --radio-map, give the same positions, and refuse it for other anchors or constants. \
      It holds the calibration, too. A recording that the map was learned from is not scored.

      EXAMPLES:
        rssi map walks.h5 --calibration calibration.json --trace walk-1 \\
          --trace walk-2 --trace walk-3 -o map.h5 && \\
          rssi eval walks.h5 --radio-map map.h5 --trace walk-4 --trace walk-5
        rssi map map.h5 --site site.toml --report map.html
        # where are the beacons? nodes.csv goes into `rssi import --nodes`
        rssi map walks.h5 --beacons nodes.csv --report places.svg
        # are known anchors where they were?
        rssi map walks.h5 --check-anchors
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces, and folders of traces, with truth and anchors at known positions.",
      valueName: "file"), completion: .file())
  var inputs: [InputPath]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Radio map to write (.h5).", valueName: "file"),
    completion: .file())
  var output: TracePath?

  @Option(
    help: ArgumentHelp(
      "Table of nodes to write (CSV): the place, power and exponent of each fixed node that the walks heard, with its 95 % ellipse; --report then draws .svg, .png or .pdf.",
      valueName: "file"), completion: .file())
  var beacons: OutputPath?

  @Flag(
    help:
      "Compare the known places of fixed nodes with what the walks heard, and name those that contradict."
  )
  var checkAnchors = false

  @Option(
    help: ArgumentHelp(
      "With --beacons: leave out a place whose standard deviation is larger along the longer axis.",
      valueName: "metres"))
  var largestDeviation: Double?

  @Option(
    help: ArgumentHelp(
      "Also write the map to this file: .html (on the floor plan), .csv (expected error per cell) or .levels.csv (level per cell and anchor); of one radio map that was learned before, or of that written with -o; repeatable.",
      valueName: "file"), completion: .file())
  var report: [OutputPath] = []

  @Option(
    help: ArgumentHelp(
      "Calibration written by `rssi fit -o`: a file, or a trace that contains one.",
      valueName: "file"), completion: .file())
  var calibration: InputPath?

  @Option(
    help: ArgumentHelp(
      "Group of the calibration to use for all links, such as a series of distances.",
      valueName: "name"))
  var group: String?

  @Option(help: ArgumentHelp("Learn from this trace only; repeatable.", valueName: "name"))
  var trace: [String] = []

  @OptionGroup var epochs: EpochOptions

  @Option(
    help: ArgumentHelp(
      "Filter whose levels to use; none for the raw levels (default: the trace's only filter, if any).",
      valueName: "filter"))
  var filtered: String?

  @Option(
    help: ArgumentHelp(
      "Site file (TOML) with anchors whose positions are missing from the traces; its walls and rooms are shown.",
      valueName: "file"), completion: .file())
  var site: SitePath?

  @Option(
    help: ArgumentHelp("2: positions in the plane; 3: positions and heights.", valueName: "2|3"))
  var dimensions = 2

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Height in metres of the nodes to locate, with 2 dimensions (default: the median of the survey or, without heights there, of the anchors).",
      valueName: "metres"))
  var height: Double?

  @OptionGroup var known: RegistryOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let inputs = try inputFiles(inputs.paths)
    if beacons != nil || checkAnchors { return try placeBeacons(inputs) }
    guard largestDeviation == nil else {
      throw RSSIError(.usage, "--largest-deviation goes with --beacons")
    }
    let forms = try report.map { try RadioMapForm(path: $0.path) }
    guard let output = output?.path else { return try showMap(inputs, forms) }
    let result = try MapStage(request(output, of: inputs))
      .run(in: reporting.context)
    for note in result.notes { reporting.warn(note) }
    try finish(RadioMapReport(result), of: output, forms)
  }

  /// Places the beacons that the walks heard.
  private func placeBeacons(_ inputs: [String]) throws {
    guard output == nil, calibration == nil, group == nil else {
      throw RSSIError(
        .usage,
        "--beacons and --check-anchors need no --calibration and no --group, and write no map with -o"
      )
    }
    let pictures = try report.map { ($0.path, try PictureFormat(path: $0.path)) }
    var request = try request(beacons?.path ?? "", of: inputs)
    request.epoch = try epochs.plan(every: "1s")
    if let largestDeviation { request.largestDeviation = largestDeviation }
    let result = try BeaconPlacesStage(request).run(in: reporting.context)
    for note in result.notes { reporting.warn(note) }
    let places = BeaconPlacesReport(result, checksAnchors: checkAnchors)
    if let beacons { try writeWhole(Array(places.nodesCSV.utf8), to: beacons.path) }
    for (path, format) in pictures { try writeWhole(try format.bytes(of: places.svg), to: path) }
    try reporting.report(places.json, text: places.text)
    try reporting.wrote([beacons?.path] + pictures.map(\.0))
  }

  /// Shows a map that was learned before.
  private func showMap(_ inputs: [String], _ forms: [RadioMapForm]) throws {
    guard !forms.isEmpty, inputs.count == 1 else {
      throw RSSIError(
        .usage,
        "give -o, the radio map to write; or --report, and one radio map that was learned before")
    }
    try finish(RadioMapReport(RadioMapFile(path: inputs[0])), of: inputs[0], forms)
  }

  private func finish(
    _ summary: RadioMapReport, of map: String, _ forms: [RadioMapForm]
  ) throws {
    if !forms.isEmpty {
      let mapped = try MappedSite(
        path: map, site: site?.path, BeaconNames(known.load(reporting.log)), log: reporting.log)
      for form in forms { try form.write(mapped, summary, by: .program) }
    }
    try reporting.report(summary.json, text: summary.text)
    try reporting.wrote(report.paths)
  }

  private func request(_ output: String, of inputs: [String]) throws -> MapRequest {
    var request = MapRequest(output: output)
    request.inputs = inputs
    request.calibration = calibration?.path
    request.group = group
    request.trace = trace
    request.epoch = try epochs.plan()
    request.truthAt = epochs.truth
    request.filtered = filtered
    guard let offset = try epochs.offset() else {
      throw RSSIError(
        .usage, "--clock-offset estimate: give a time; rssi eval shows which offset fits")
    }
    request.clockOffset = offset
    request.site = site?.path
    request.dimensions = try dimensionsOfPositions(dimensions)
    request.height = height
    try request.check()
    return request
  }
}
