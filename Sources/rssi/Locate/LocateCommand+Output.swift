import Inputs
import Reporting
import TracePipelines
import TraceStore

extension LocateCommand {
  func locateStream(
    _ run: LocateRun, _ form: PositionForm?, _ events: SpotEventOutput?
  ) throws {
    // Without a file, positions are lines, unless events are.
    try PositionOutput.with(form ?? (spots.events ? nil : .lines("-")), events: events) {
      try run.locateStream(into: $0)
      try events?.finish()
    }
  }

  func locateFiles(
    _ run: LocateRun, _ form: PositionForm?, _ events: SpotEventOutput?
  ) throws {
    try run.requireTraces(in: inputs)
    var report = LocateReport(algorithm: run.request.algorithmName, epoch: asking.epoch)
    try PositionOutput.with(form, events: events) { output in
      for path in inputs {
        let located = try run.locate(path, into: output)
        report.add(located, keepsPositions: form == nil)
        if case .trace(let path) = form { try store(located, run, in: path) }
      }
    }
    try events?.finish()
    guard form?.isStandardOutput != true, events == nil else { return }
    try reporting.report(report.json, text: report.text)
  }

  private func store(_ located: LocatedTrace, _ run: LocateRun, in path: String) throws {
    var positions = try run.stored(located, name: name)
    // Times are stored as they were typed.
    positions.settings["epoch"] = asking.epoch
    positions.settings["window"] = asking.window ?? asking.epoch
    try run.write(positions, of: located, to: path, inputs: inputs, by: .program)
  }
}
