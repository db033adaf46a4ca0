import LivePipelines
import Registries
import Reporting
import Support
import TracePipelines
import TraceStore

extension LocateCommand {
  /// - Throws: a usage failure for outputs that exclude each other, or an input.
  func checkOutput(_ form: PositionForm?, isLive: Bool) throws {
    func refuse(_ isWrong: Bool, _ words: String) throws {
      if isWrong { throw RSSIError(.usage, words) }
    }
    let isLines = form?.isStandardOutput == true
    try refuse(
      inputs.contains("-") && inputs.count > 1,
      "- is a stream that may not end: locate it alone")
    try refuse(
      spots.events && (reporting.json || isLines),
      "--events writes to standard output: leave --json out, and name a file with -o")
    try refuse(
      reporting.json && isLines,
      "-o - writes lines of JSON, --json one document: leave one of them out")
    var isTrace = false
    if case .trace(let path) = form {
      isTrace = true
      try refuse(
        inputs.count > 1,
        "-o \(path) holds the positions of one trace: locate one at a time, or write .csv")
    }
    try refuse(name != nil && !isTrace, "--name goes with -o of a trace (.h5)")
    guard isLive else { return }
    try refuse(
      !report.isEmpty,
      "--report shows traces, which have an end: record the stream with `rssi capture` and locate "
        + "that")
    try refuse(
      isTrace,
      "the positions of a stream cannot go into a trace: write .csv, or record it with `rssi "
        + "capture` and locate that")
    try refuse(
      reporting.json, "--json reports on traces; of a stream every position is a line of JSON")
  }

  /// - Parameter source: what to listen to; nil = the standard input.
  func locateLive(
    _ source: SourceRequest?, _ run: LocateRun, _ form: PositionForm?, _ events: SpotEventOutput?,
    _ names: BeaconNames
  ) throws {
    let served = try measuring.serve("locate", of: inputs[0], reporting.messages)
    defer { served?.end() }
    let published = try publishing.begin(
      sourcing.login, names, knowing: run.request.registry, asked: run.request.node,
      epoch: run.request.epoch, reporting.log)
    defer { published?.end() }
    if source != nil { StopSignals.install() }
    let context = LiveContext(reporting).publishing(on: served?.board)
      .ending(after: try ending.nanoseconds())
    // Without a file, positions are lines, unless events are.
    try PositionOutput.with(
      form ?? (spots.events ? nil : .lines("-")), names, events: events
    ) { output in
      let sink = PositionSinks([output, published?.board])
      if let source {
        try locate(source, receiver: receiver, by: run, into: sink, context)
      } else {
        try run.locateStream(into: sink, publishingOn: served?.board)
      }
      try events?.finish()
    }
  }

  func locateFiles(
    _ run: LocateRun, _ form: PositionForm?, _ plans: [PlanForm], _ events: SpotEventOutput?,
    _ names: BeaconNames
  ) throws {
    try run.requireTraces(in: inputs)
    var located: [LocatedTrace] = []
    var summary = LocateReport(
      algorithm: run.request.algorithmName, epoch: asking.epoch, names: names)
    try PositionOutput.with(form, names, events: events) { output in
      try run.locate(inputs) { file in
        for position in file.positions { try output.receive(position) }
        for event in file.events { try output.receive(event) }
        summary.add(file, keepsPositions: form == nil)
        if case .trace(let path) = form { try store(file, run, in: path) }
        if !plans.isEmpty { located.append(file) }
      }
    }
    if !plans.isEmpty {
      let page = PositionsPage(
        summary, located, on: try run.reportedSite(of: located, names), at: run.reference, names,
        by: .program)
      for plan in plans { try plan.write(page) }
    }
    try events?.finish()
    guard form?.isStandardOutput != true, events == nil else { return }
    try reporting.report(summary.json, text: summary.text)
  }

  private func store(_ located: LocatedTrace, _ run: LocateRun, in path: String) throws {
    var positions = try run.stored(located, name: name)
    // Times are stored as they were typed.
    positions.settings["epoch"] = asking.epoch
    positions.settings["window"] = asking.window ?? asking.epoch
    try run.write(positions, of: located, to: path, inputs: inputs, by: .program)
  }
}
