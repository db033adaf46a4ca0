import ArgumentParser
import TraceStore

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Make traces whose capture was killed readable for other programs.",
    discussion: """
      Every stage of rssi reads such a trace as it is; h5dump and h5py open it only when it is closed. \
      Everything that its writer declared whole is kept; a trace that was closed is left alone.
      """)

  @Argument(help: "Trace files.")
  var files: [String]

  @Option(name: .shortAndLong, help: "Write the repaired trace here and leave the file alone.")
  var output: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try rewrite(files, to: output, as: "repair", reporting) { !$0.isClean || output != nil }
  }
}
