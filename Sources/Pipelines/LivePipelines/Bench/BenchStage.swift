import Support
public import TracePipelines
import TraceStore

/// The result of a guided bench.
public struct BenchResult: Sendable {
  /// The calibrated beacons.
  public var calibration: CalibrateResult
  /// The failure that ended the bench early, although some poses were complete.
  public var failure: (any Error)?
}

/// Guides an operator through the poses of a bench, and calibrates the beacons that were received.
public struct BenchStage: Stage {
  private let asked: Shared<BenchRequest>
  private var request: BenchRequest { asked.value }

  public init(_ request: BenchRequest) { asked = Shared(request) }

  /// Guides the operator and calibrates the beacons.
  ///
  /// - Throws: `RSSIError` for a request that cannot be met, and if no pose was complete.
  public func perform(in context: LiveContext) throws -> BenchResult {
    guard let person = request.person else {
      throw RSSIError(.usage, "`person` is missing: a bench needs a person who places beacons")
    }
    return try run(in: context, by: person)
  }

  private func run(
    in context: LiveContext, by person: some BenchOperator
  ) throws -> BenchResult {
    try request.check()
    let beacons = try request.calibration.beacons()
    let inputs = try InputDigests(of: request.source.name.readFiles()).wait()
    var bench = try Bench(
      request, beacons, recorder: recorder(request, beacons, context), context, by: person)
    var failure: (any Error)?
    do {
      try request.source.listen(into: &bench, clock: context.clock)
    } catch { failure = error }
    // A full disk cannot take the end of a trace either.
    if (failure as? RSSIError)?.kind == .inputOutput { bench.abandonRecord() }
    // The failure of the source is more useful than that of a trace that was never begun.
    do { try bench.finish() } catch { failure = failure ?? error }
    pack(bench.recorded, context)
    // A failure of the source or of the disk does not discard complete poses.
    if let failure, bench.completed == 0 || (failure as? RSSIError)?.kind == .usage {
      throw failure
    }
    guard bench.completed > 0 else {
      throw RSSIError(
        .failed,
        "no pose is complete\(bench.remarks.first.map { " (\($0))" } ?? ""): nothing to report")
    }
    var result = try CalibrateResult(
      bench.beacons, in: bench.table, precision: request.calibration.precision, inputs: inputs)
    result.source = request.source.name.description
    result.warnings = bench.remarks
    for (reason, count) in bench.rejected.sorted(by: { $0.key < $1.key }) {
      context.log.note("refused \(count) × \(reason)")
    }
    return BenchResult(calibration: result, failure: failure)
  }
}

/// Returns the recorder of everything that is received, with distance and pose; nil without one.
private func recorder(
  _ request: BenchRequest, _ beacons: BeaconsToCalibrate, _ context: LiveContext
) throws -> Recorder? {
  guard let path = request.record else { return nil }
  var recording = CaptureRequest(request.source)
  recording.output = path
  recording.selection.beacons = beacons.choices.flatMap(\.patterns)
  var silent = context
  silent.log = SilentLog()
  // The metrics are those of the bench.
  silent.board = nil
  return try Recorder(recording, stage: "calibrate", silent)
}

private func pack(_ file: RecordedFile?, _ context: LiveContext) {
  guard let file, file.isInPlace else { return }
  if file.fate == .saved { context.log.note("saved the recording as \(file.path)") }
  file.pack(noting: context.log)
}
