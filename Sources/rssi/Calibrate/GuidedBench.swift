import ArgumentParser
import Capture
import Inputs
import PathLoss
import Support
import TraceStore

/// A guided measurement on a live source, from the first prompt to the report.
struct GuidedBench {
  let plan: BenchPlan
  let beacons: BeaconsToCalibrate
  /// dB.
  let precision: Double
  let outputs: CalibrateOutputs
  let reporting: ReportingOptions

  func run(
    _ settings: ScanSettings, speed: Double, _ gateways: MQTTOptions, into table: PoseTable
  ) throws {
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
    var files: [String] = []
    if case .replay(let file) = plan.source {
      _ = try InputKind(path: file)
      files = [file]
    }
    let provenance = try ToolIdentity.program.provenance(of: "calibrate", inputs: files)
    StopSignals.install()
    var bench = try Bench(
      plan, beacons, into: table, precision: precision,
      recorder: outputs.record.map { try recorder($0, provenance) }, quiet: reporting.quiet)
    var failure: (any Error)?
    do {
      try listen(to: plan.source, settings, speed: speed, gateways, into: &bench)
    } catch { failure = error }
    // A disk that is full cannot take the end of a trace either.
    if (failure as? RSSIError)?.kind == .inputOutput { bench.abandonRecord() }
    // Why the source failed tells more than that its trace was never begun.
    do { try bench.finish() } catch { failure = failure ?? error }
    packRecord(bench.recorded)
    // A source that is gone, or a full disk, does not take back the poses that became whole.
    if let failure, bench.whole == 0 || (failure as? RSSIError)?.kind == .usage { throw failure }
    try report(bench, provenance)
    if let failure { throw failure }
  }

  private func recorder(_ path: String, _ provenance: Provenance) throws -> Recorder {
    var recording = CapturePlan(source: plan.source)
    recording.output = path
    recording.selection.beacons = beacons.choices.flatMap(\.patterns)
    var silent = reporting
    silent.quiet = true
    return try Recorder(recording, provenance: provenance, reporting: silent)
  }

  private func packRecord(_ file: RecordedFile?) {
    guard let file, file.isInPlace else { return }
    if file.fate == .saved { reporting.note("what was recorded is saved as \(file.path)") }
    do {
      try pack(file, reporting)
    } catch {
      reporting.note(
        "\(file.path) was left as it was written (\(error)); `rssi pack` compresses it later")
    }
  }

  private func report(_ bench: borrowing Bench, _ provenance: Provenance) throws {
    guard bench.whole > 0 else {
      throw RSSIError(
        .failed,
        "no pose became whole\(bench.remarks.first.map { " (\($0))" } ?? ""): nothing to report")
    }
    let table = bench.table
    let found = try bench.beacons.names(in: table).map {
      CalibratedBeacon($0, in: table, precision: precision)
    }
    for (reason, count) in bench.rejected.sorted(by: { $0.key < $1.key }) {
      reporting.note("refused \(count) × \(reason)")
    }
    try outputs.write(
      CalibrateReport(
        beacons: found, precision: precision, excluded: table.excluded, inputs: provenance.inputs,
        source: plan.source.description, warnings: bench.remarks, names: beacons.names), reporting)
  }
}
