internal import Sightings
import Support

/// The work of one stage on a trace: appended by every stage, never changed.
public struct Provenance: Equatable, Sendable {
  /// The verb, such as `import`.
  public var stage: String
  /// The version of the program.
  public var toolVersion: String
  /// The command that ran the stage.
  public var commandLine: String
  /// The files that the stage read.
  public var inputs: [Input]

  /// A file that a stage read.
  public struct Input: Equatable, Sendable {
    /// The name of the file.
    public var name: String
    /// The SHA-256 of the file, 64 hexadecimal digits.
    public var sha256: String
    /// The size of the file, in bytes.
    public var bytes: UInt64

    /// Creates an input.
    public init(name: String, sha256: String, bytes: UInt64) {
      self.name = name
      self.sha256 = sha256
      self.bytes = bytes
    }
  }

  /// Creates the record of one stage.
  public init(stage: String, toolVersion: String, commandLine: String, inputs: [Input]) {
    self.stage = stage
    self.toolVersion = toolVersion
    self.commandLine = commandLine
    self.inputs = inputs
  }
}

/// The tables `/provenance/stages` and `/provenance/inputs`.
struct ProvenanceTables {
  private let stages: RowTable<Provenance>
  private let inputs: RowTable<StoredInput>

  init(in file: TraceFile) throws(RSSIError) {
    stages = try RowTable(.stages, in: file)
    inputs = try RowTable(.inputs, in: file)
  }

  var tables: [Table] { [stages.table, inputs.table] }

  func append(_ entry: Provenance) throws(RSSIError) {
    try stages.append([entry])
    try append(entry.inputs)
  }

  /// Adds input files of the latest stage.
  func append(_ files: [Provenance.Input]) throws(RSSIError) {
    let row = UInt16(clamping: stages.count - 1)
    try inputs.append(files.map { StoredInput(stage: row, input: $0) })
  }

  func read() throws(RSSIError) -> [Provenance] {
    var entries = try stages.read()
    for row in try inputs.read() where row.stage < entries.count {
      entries[Int(row.stage)].inputs.append(row.input)
    }
    return entries
  }
}

/// An input file of the stage of a row.
private struct StoredInput {
  var stage: UInt16
  var input: Provenance.Input
}

extension Schema<Provenance> {
  fileprivate static var stages: Schema {
    Schema(
      "provenance/stages",
      empty: Provenance(stage: "", toolVersion: "", commandLine: "", inputs: []),
      limit: Int(UInt16.max),
      [
        .text(\.stage, "stage", .words(32), "What was done, in order"),
        .text(\.toolVersion, "tool_version", .words(32), "By which rssi"),
        .text(\.commandLine, "command_line", .words(4096), "How it was called"),
      ])
  }
}

extension Schema<StoredInput> {
  fileprivate static var inputs: Schema {
    Schema(
      "provenance/inputs",
      empty: StoredInput(stage: 0, input: Provenance.Input(name: "", sha256: "", bytes: 0)),
      [
        .text(\.input.name, "name", .words(1024), "File that was read"),
        .number(\.stage, "stage", "Row of /provenance/stages that read it"),
        .text(\.input.sha256, "sha256", .words(64), "Its contents' SHA-256"),
        .number(\.input.bytes, "bytes", units: "byte", "Its length"),
      ])
  }
}
