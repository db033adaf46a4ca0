import ArgumentParser
import TraceStore

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Close traces left open by an interrupted capture, and salvage damaged ones.",
    discussion: """
      Every stage of rssi reads the trace of an interrupted capture as it is; h5dump and h5py open it \
      only when it is closed. Everything that its writer committed is kept. Of a closed trace whose \
      columns differ in length, the rows with a time, beacon, receiver and trace are kept, and the \
      values that are lost are marked as missing. A whole trace is left alone.
      """)

  @Argument(help: "Trace files.")
  var files: [String]

  @Option(name: .shortAndLong, help: "Write the repaired trace here and leave the file alone.")
  var output: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try rewrite(files, to: output, as: "repair", isSalvaging: true, reporting) { reader in
      guard !reader.isClean || !reader.losses.isEmpty || output != nil else { return false }
      // What is closed as whole has to be: a row about a beacon that was lost ends the repair.
      try reader.forEachBlock([.time, .link]) { _ in }
      return true
    }
  }
}
