internal import CHDF5
internal import Sightings
import Support

/// What one stage did to make a trace: appended by every stage, never changed.
public struct Provenance: Equatable, Sendable {
  /// The verb, such as `import`.
  public var stage: String
  public var toolVersion: String
  public var commandLine: String
  public var inputs: [Input]

  /// A file that a stage read.
  public struct Input: Equatable, Sendable {
    public var name: String
    /// 64 hexadecimal digits.
    public var sha256: String
    public var bytes: UInt64

    public init(name: String, sha256: String, bytes: UInt64) {
      self.name = name
      self.sha256 = sha256
      self.bytes = bytes
    }
  }

  public init(stage: String, toolVersion: String, commandLine: String, inputs: [Input]) {
    self.stage = stage
    self.toolVersion = toolVersion
    self.commandLine = commandLine
    self.inputs = inputs
  }
}

/// `/provenance/stages` and `/provenance/inputs`.
struct ProvenanceTables {
  let tables: [Table]
  private let stage: TextColumn
  private let toolVersion: TextColumn
  private let commandLine: TextColumn
  private let inputStage: Column<UInt16>
  private let name: TextColumn
  private let sha256: TextColumn
  private let bytes: Column<UInt64>

  init(in file: Handle, mode: Table.Mode, path: String) throws(RSSIError) {
    let stages = try Table(
      "provenance/stages", in: file, mode: mode, path: path, limit: Int(UInt16.max))
    stage = try stages.text("stage", .words(32), "What was done, in order")
    toolVersion = try stages.text("tool_version", .words(32), "By which rssi")
    commandLine = try stages.text("command_line", .words(4096), "How it was called")
    try stages.alignToFirstColumn()
    let inputs = try Table("provenance/inputs", in: file, mode: mode, path: path)
    name = try inputs.text("name", .words(1024), "File that was read")
    inputStage = try inputs.column(
      "stage", UInt16.self, units: "1", "Row of /provenance/stages that read it")
    sha256 = try inputs.text("sha256", .words(64), "Its contents' SHA-256")
    bytes = try inputs.column("bytes", UInt64.self, units: "byte", "Its length")
    try inputs.alignToFirstColumn()
    tables = [stages, inputs]
  }

  func append(_ entry: Provenance) throws(RSSIError) {
    let row = UInt16(clamping: stage.count)
    try stage.append([entry.stage])
    try toolVersion.append([entry.toolVersion])
    try commandLine.append([entry.commandLine])
    try append(entry.inputs, row: row)
  }

  /// Adds files that the latest stage read.
  func append(_ inputs: [Provenance.Input]) throws(RSSIError) {
    try append(inputs, row: UInt16(clamping: stage.count - 1))
  }

  private func append(_ inputs: [Provenance.Input], row: UInt16) throws(RSSIError) {
    for input in inputs {
      try name.append([input.name])
      try inputStage.append([row])
      try sha256.append([input.sha256])
      try bytes.append([input.bytes])
    }
  }

  func read() throws(RSSIError) -> [Provenance] {
    let stages = try stage.readAll()
    let versions = try toolVersion.readAll()
    let commands = try commandLine.readAll()
    let names = try name.readAll()
    let rows = try inputStage.readAll()
    let digests = try sha256.readAll()
    let lengths = try bytes.readAll()
    var entries: [Provenance] = []
    for (row, stage) in stages.enumerated() {
      entries.append(
        Provenance(stage: stage, toolVersion: versions[row], commandLine: commands[row], inputs: [])
      )
    }
    for (index, name) in names.enumerated() where Int(rows[index]) < entries.count {
      entries[Int(rows[index])].inputs.append(
        Provenance.Input(name: name, sha256: digests[index], bytes: lengths[index]))
    }
    return entries
  }
}
