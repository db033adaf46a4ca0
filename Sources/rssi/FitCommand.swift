import ArgumentParser
import PathLoss
import Sightings
import TraceStore

struct FitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fit path-loss constants to readings at known distances.",
    discussion: """
      Fits rssi = P − 10 n log10(d) by least squares, with standard errors. Distances come from \
      distance tables, or from the positions of anchors and the truth of a trace. Readings of 0 dBm \
      and above, readings without a level and distances of 0 are left out and counted.
      """)

  @Argument(help: "Traces, tables of readings, or - for NDJSON on standard input.")
  var inputs: [String]

  @Option(name: .shortAndLong, help: "The calibration file to write (JSON).")
  var output: String?

  @Option(help: "One fit for each: pooled, beacon, receiver, series, link, or several with commas.")
  var by: Grouping = Grouping(parts: [])

  @Option(help: "least-squares is the only estimator yet.")
  var estimator: Estimator = .leastSquares

  @Option(help: "What each position gives to the fit: every sample, their mean or their median.")
  var perPosition: Reduction = .samples

  @Option(help: "Only these series (traces); may be repeated.")
  var series: [String] = []

  @Option(help: "Only readings at this distance or more, in metres.")
  var minDistance: Double = 0

  @Option(help: "The filter whose levels to fit, in place of the raw ones.")
  var filtered: String?

  @OptionGroup var reporting: ReportingOptions

  enum Estimator: String, ExpressibleByArgument, CaseIterable { case leastSquares = "least-squares" }

  enum Reduction: String, ExpressibleByArgument, CaseIterable { case samples, mean, median }

  func run() throws {
    var accumulator = FitAccumulator(
      grouping: by, reduction: perPosition, series: Set(series), minDistance: minDistance)
    var files: [Calibration.Input] = []
    for input in inputs {
      accumulator.startFile()
      try forEachBlock(
        of: input, [.time, .link, .rssi, .dwell], filtered: filtered
      ) { rows, catalogue in accumulator.add(rows, catalogue) }
      files += try calibrationInputs(input)
    }
    let missing = series.filter { !accumulator.seenSeries.contains($0) }
    guard missing.isEmpty else {
      throw Failure(
        Failure.badInput, "there is no series \"\(missing[0])\"; there are "
          + accumulator.seenSeries.sorted().joined(separator: ", "))
    }
    let (groups, pooled) = accumulator.results()
    let calibration = Calibration(
      toolVersion: toolVersion, commandLine: commandLine(), by: by.description,
      groups: groups, pooled: pooled, excluded: accumulator.excluded, inputs: files)
    guard pooled.samples > 0 else {
      let reasons = accumulator.excluded.sorted { $0.key < $1.key }
        .map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
      throw Failure(
        Failure.badInput,
        "no reading has a distance to fit (\(reasons.isEmpty ? "no sightings" : reasons)): import a distance table, or give anchors with --nodes and positions with --truth"
      )
    }
    guard groups.contains(where: { $0.measuredPower != nil }) else {
      throw Failure(Failure.badInput, "no constants could be fitted: \(groups[0].warnings[0])")
    }
    let text = try jsonText(calibration)
    if let output { try writeWhole(text, to: output) }
    if reporting.json {
      try StandardOutput.write(text)
    } else {
      try StandardOutput.write(table(calibration))
    }
    for (reason, count) in calibration.excluded.sorted(by: { $0.key < $1.key }) {
      reporting.note("left out \(count) × \(reason)")
    }
  }

  private func table(_ calibration: Calibration) -> String {
    var rows = [["", "P(1 m) dBm", "± se", "n", "± se", "sigma dB", "samples", "positions"]]
    for group in calibration.groups {
      rows.append([
        group.key, decimal(group.measuredPower, 3), decimal(group.powerError, 3),
        decimal(group.exponent, 3), decimal(group.exponentError, 3), decimal(group.sigma, 3),
        String(group.samples), String(group.positions),
      ])
    }
    let warnings = calibration.groups.flatMap { group in
      group.warnings.map { "  \(group.key): \($0)\n" }
    }
    return aligned(rows) + (warnings.isEmpty ? "" : "warnings\n" + warnings.joined())
  }

  /// A file that was fitted, and the recordings that it was made from, so that `eval` can tell whether
  /// it is scored on what was fitted.
  private func calibrationInputs(_ path: String) throws -> [Calibration.Input] {
    guard path != "-" else { return [] }
    var inputs = try provenance(of: "fit", inputs: [path]).inputs
    if try InputKind(path: path) == .trace {
      inputs += try TraceReader(path: path).provenance.flatMap(\.inputs)
    }
    return inputs.map { Calibration.Input(name: $0.name, sha256: $0.sha256) }
  }
}

/// What a fit's groups are: any of beacon, receiver and series; none is one pooled group.
struct Grouping: ExpressibleByArgument, CustomStringConvertible {
  enum Part: String { case series, beacon, receiver }

  var parts: Set<Part>

  init(parts: Set<Part>) { self.parts = parts }

  init?(argument: String) {
    parts = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "pooled": break
      case "link": parts.formUnion([.beacon, .receiver])
      default:
        guard let part = Part(rawValue: String(word)) else { return nil }
        parts.insert(part)
      }
    }
  }

  var description: String {
    if parts.isEmpty { return "pooled" }
    if parts == [.beacon, .receiver] { return "link" }
    return [Part.series, .beacon, .receiver].filter(parts.contains).map(\.rawValue)
      .joined(separator: ",")
  }

  var defaultValueDescription: String { description }
}
