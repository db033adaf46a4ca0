import ArgumentParser
import Capture
import Inputs
import LivePipelines
import PathLoss
import Support
import TracePipelines
import TraceStore

/// A guided measurement on a live source, from the first prompt to the report.
struct GuidedBench {
  let plan: BenchPlan
  let beacons: BeaconsToCalibrate
  /// dB.
  let precision: Double
  let outputs: CalibrateOutputs
  let reporting: ReportingOptions

  func run(_ source: SourceRequest, into table: PoseTable) throws {
    for choice in beacons.choices where choice.patterns.isEmpty {
      throw RSSIError(
        .usage,
        "\"\(choice.text)\" is neither a beacon nor a name of the registry: write UUID, "
          + "UUID:MAJOR, UUID:MAJOR:MINOR or an identity as `rssi export` prints it"
      )
    }
    guard !plan.waits || EnterKey.isTerminal else {
      throw RSSIError(
        .usage,
        "standard input is no terminal, so nobody can press Enter before a pose: run it on one, or "
          + "go from pose to pose by time with --yes and a longer --countdown"
      )
    }
    let inputs = try InputDigests(of: plan.source.readFiles()).wait()
    StopSignals.install()
    var bench = try Bench(
      plan, beacons, into: table, precision: precision,
      recorder: outputs.record.map { try recorder($0, source) }, quiet: reporting.quiet)
    var failure: (any Error)?
    do {
      try source.listen(into: &bench)
    } catch { failure = error }
    // A disk that is full cannot take the end of a trace either.
    if (failure as? RSSIError)?.kind == .inputOutput { bench.abandonRecord() }
    // Why the source failed tells more than that its trace was never begun.
    do { try bench.finish() } catch { failure = failure ?? error }
    packRecord(bench.recorded)
    // A source that is gone, or a full disk, does not take back the poses that became whole.
    if let failure, bench.whole == 0 || (failure as? RSSIError)?.kind == .usage { throw failure }
    try report(bench, inputs)
    if let failure { throw failure }
  }

  private func recorder(_ path: String, _ source: SourceRequest) throws -> Recorder {
    var request = RecordRequest(source)
    request.output = path
    request.selection.beacons = beacons.choices.flatMap(\.patterns)
    let context = LiveContext(tool: .program, control: ProgramControl(), log: SilentLog())
    return try Recorder(request, stage: "calibrate", context)
  }

  private func packRecord(_ file: RecordedFile?) {
    guard let file, file.isInPlace else { return }
    if file.fate == .saved { reporting.note("what was recorded is saved as \(file.path)") }
    file.pack(noting: reporting.log)
  }

  private func report(_ bench: borrowing Bench, _ inputs: [Provenance.Input]) throws {
    guard bench.whole > 0 else {
      throw RSSIError(
        .failed,
        "no pose became whole\(bench.remarks.first.map { " (\($0))" } ?? ""): nothing to report")
    }
    let table = bench.table
    var result = try CalibrateResult(
      bench.beacons, in: table, precision: precision, inputs: inputs)
    result.source = plan.source.description
    result.warnings = bench.remarks
    for (reason, count) in bench.rejected.sorted(by: { $0.key < $1.key }) {
      reporting.note("refused \(count) × \(reason)")
    }
    try outputs.write(result, reporting)
  }
}
