import ArgumentParser
import Glibc
import Inputs
import Screens
import Support
import TraceStore

@main
struct RSSI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rssi",
    abstract: "Bluetooth LE signal strength, from advertisements to positions.",
    discussion: """
      Stages chain in a shell: capture or import, filter levels, fit path loss, locate, evaluate \
      positioning algorithms. Results go to standard output, everything else to standard error. `-` \
      reads or writes a stream of sightings, one JSON object per line (NDJSON), on standard input or \
      output.
      """,
    version: ToolIdentity.program.version,
    subcommands: [
      CaptureCommand.self, ImportCommand.self, FilterCommand.self, FitCommand.self,
      CalibrateCommand.self, LocateCommand.self, EvalCommand.self, WatchCommand.self,
      AdvertiseCommand.self, SessionCommand.self, RegistryCommand.self, SimulateCommand.self,
      InfoCommand.self, ExportCommand.self, PackCommand.self, RepairCommand.self,
    ])

  static func main() {
    StandardOutput.prepare()
    // A reader that has seen enough closes the pipe: writing then fails with EPIPE, not by a
    // signal.
    signal(SIGPIPE, SIG_IGN)
    // Likewise a limit on the size of files is a full disk, not a reason to die.
    signal(SIGXFSZ, SIG_IGN)
    UnfinishedFiles.removeOnInterrupt()
    do {
      var command = try parseAsRoot()
      try command.run()
      try StandardOutput.flush()
    } catch {
      // What a stage had found is its result all the same.
      try? StandardOutput.flush()
      guard let failure = RSSIError(error) else { end(error) }
      failure.report()
      Glibc.exit(failure.exitCode)
    }
  }

  /// Ends as the argument parser does: with a help text that was asked for, or with an error.
  private static func end(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    if code.isSuccess { exit(withError: error) }
    let message = fullMessage(for: error)
    if !message.isEmpty { StandardError.write(message.printableLines + "\n") }
    Glibc.exit(code.rawValue)
  }
}
