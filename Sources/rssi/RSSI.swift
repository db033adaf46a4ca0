import ArgumentParser
import Glibc
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

      EXAMPLES:
        rssi capture hci0 -o walk.h5
        rssi import walk-*.btsnoop --receiver phone --nodes nodes.csv \\
          --truth truth.csv -o walks.h5
        rssi fit distances.csv -o calibration.json
        rssi eval walks.h5 --calibration calibration.json \\
          --algorithms weighted-centroid,kalman --report report.html
      """,
    version: ToolIdentity.program.version,
    subcommands: [
      CaptureCommand.self, ImportCommand.self, FilterCommand.self, FitCommand.self,
      CalibrateCommand.self, MapCommand.self, LocateCommand.self, EvalCommand.self,
      WatchCommand.self, ServeCommand.self,
      AdvertiseCommand.self, SessionCommand.self, RegistryCommand.self, SimulateCommand.self,
      BeaconsCommand.self, InfoCommand.self, ExportCommand.self, MergeCommand.self,
      PackCommand.self, RepairCommand.self, DoctorCommand.self,
    ])

  static func main() {
    StandardOutput.prepare()
    // A reader that has seen enough closes the pipe: writing then fails with EPIPE, not by a
    // signal.
    signal(SIGPIPE, SIG_IGN)
    // Likewise a limit on the size of files is a full disk, not a reason to die.
    signal(SIGXFSZ, SIG_IGN)
    UnfinishedFiles.removeOnInterrupt()
    // Before TLS initialises the library: digests of inputs are computed while a stage may fail.
    SHA256.keepLibraryAtExit()
    do {
      try requireStages(programArguments[...])
      var command = try parseAsRoot(programArguments)
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
    let text = ParserMessage(message(for: error), whole: fullMessage(for: error)).text
    if !text.isEmpty { StandardError.write(text.printableLines + "\n") }
    Glibc.exit(code.rawValue)
  }
}
