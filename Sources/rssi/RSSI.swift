import ArgumentParser
import Glibc
import TraceStore

@main
struct RSSI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rssi",
    abstract: "Bluetooth LE signal strength, from advertisements to positions.",
    discussion: """
      Separate stages that chain in a shell: capture or import, filter levels, fit path loss, \
      evaluate positioning algorithms. Results go to standard output, everything else to standard \
      error; `-` stands for either, one sighting a line (NDJSON).
      """,
    version: toolVersion,
    subcommands: [
      CaptureCommand.self, ImportCommand.self, FilterCommand.self, FitCommand.self,
      CalibrateCommand.self, EvalCommand.self, InfoCommand.self, ExportCommand.self,
      PackCommand.self, RepairCommand.self, SimulateCommand.self, SessionCommand.self,
    ])

  static func main() {
    // A reader that has seen enough closes the pipe: writing then fails with EPIPE instead of killing us.
    signal(SIGPIPE, SIG_IGN)
    // Likewise a limit on the size of files is a full disk, not a reason to die.
    signal(SIGXFSZ, SIG_IGN)
    UnfinishedFiles.removeOnInterrupt()
    do {
      var command = try parseAsRoot()
      try command.run()
      try StandardOutput.flush()
    } catch {
      guard let failure = Failure(error) else { exit(withError: error) }
      failure.report()
      Glibc.exit(failure.exitCode)
    }
  }
}

/// The version that traces and calibrations carry.
let toolVersion = "0.1.0"
