import ArgumentParser
import Inputs
import Screens
import Support
import TraceStore

struct PackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Compress captured traces.",
    discussion: """
      Compresses columns (shuffle and deflate) to a third to a tenth of their size. Each file is \
      replaced when its packed copy is complete.
      """)

  @Argument(help: "Trace files.")
  var files: [String]

  @Option(
    name: .shortAndLong, help: "Write the packed trace to this file instead of replacing the input."
  )
  var output: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try rewrite(files, to: output, as: "pack", reporting) { _ in true }
  }
}

/// Packs traces, each in its place unless an output is named.
///
/// - Parameters:
///   - isSalvaging: whether to take what is left of a damaged trace.
///   - isMeant: false for a trace that stays as it is.
func rewrite(
  _ files: [String], to output: String?, as stage: String, isSalvaging: Bool = false,
  _ reporting: ReportingOptions, _ isMeant: (TraceReader) throws -> Bool
) throws {
  if output != nil, files.count > 1 {
    throw RSSIError(.usage, "-o names one file, but \(files.count) are to be \(stage)ed")
  }
  var named = CommandFiles()
  named.read(files)
  named.write([output], as: "-o", mayReplace: files)
  named.replacesInputs = output == nil
  try named.check(reporting)
  var reports: [JSONValue] = []
  func reportAll() throws {
    guard reporting.json, !reports.isEmpty else { return }
    try StandardOutput.write(jsonText(JSONValue.object(["files": .array(reports)])))
  }
  do {
    for file in files {
      reports.append(
        try rewrite(file, to: output, as: stage, isSalvaging: isSalvaging, reporting, isMeant))
    }
  } catch {
    // Those before are done.
    try reportAll()
    throw error
  }
  try reportAll()
}

/// Packs one trace and reports on it.
private func rewrite(
  _ file: String, to output: String?, as stage: String, isSalvaging: Bool,
  _ reporting: ReportingOptions, _ isMeant: (TraceReader) throws -> Bool
) throws -> JSONValue {
  let reader = try TraceReader(path: file, isSalvaging: isSalvaging)
  let before = fileSize(file)
  let target = output ?? file
  let isDone = try isMeant(reader)
  if isDone {
    let step = Provenance(
      stage: stage, toolVersion: ToolIdentity.program.version,
      commandLine: ToolIdentity.program.commandLine, inputs: [])
    try pack(reader, to: target, adding: step)
  }
  let after = fileSize(target)
  if !reporting.json, !reporting.quiet {
    try StandardOutput.show(
      isDone
        ? "\(target.printable): \(reader.count) sightings, \(megabytes(before)) became "
          + "\(megabytes(after))\n"
        : "\(file.printable): \(reader.count) sightings, nothing to repair\n")
    for loss in reader.losses {
      try StandardOutput.show(
        "  /\(loss.table)/\(loss.column) had \(loss.rows) rows, "
          + (loss.rows < loss.kept
            ? "\(loss.kept - loss.rows) of \(loss.kept) are missing\n"
            : "\(loss.rows - loss.kept) of them are left out\n"))
    }
  }
  return .object([
    "file": .string(target), "sightings": .integer(reader.count), "written": .boolean(isDone),
    "bytes_before": .unsigned(before), "bytes_after": .unsigned(after),
    "losses": .array(
      reader.losses.map {
        .object([
          "table": .string($0.table), "column": .string($0.column), "rows": .integer($0.rows),
          "kept": .integer($0.kept),
        ])
      }),
  ])
}

private func megabytes(_ bytes: UInt64) -> String { "\(decimal(Double(bytes) / 1e6, 1)) MB" }
