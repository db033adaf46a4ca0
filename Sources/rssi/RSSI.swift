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
      CalibrateCommand.self, MapCommand.self, RoomsCommand.self, LocateCommand.self,
      EvalCommand.self, BenchmarkCommand.self,
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
      try CommandFiles(of: command).check()
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

  /// Prints the help text or the error of the argument parser, and exits.
  private static func end(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    if code.isSuccess { exit(withError: error) }
    let text = ParserMessage(message(for: error), whole: fullMessage(for: error)).text
    if !text.isEmpty { StandardError.write(text.printableLines + "\n") }
    Glibc.exit(code.rawValue)
  }
}

/// An error of the argument parser in the form of all others: one sentence, and the help command.
struct ParserMessage {
  let text: String

  /// - Parameters:
  ///   - message: the message of the parser.
  ///   - whole: the same with the paragraphs of usage, which name the stage.
  init(_ message: String, whole: String) {
    guard !message.isEmpty else {
      text = ""
      return
    }
    // A sentence of the parser begins with a capital letter.
    let sentence = message.prefix(1).lowercased() + message.dropFirst()
    let command = whole.firstRange(of: "See '").map { whole[$0.upperBound...].prefix { $0 != "'" } }
    let advice = command.map { "\nSee '\($0)'." } ?? ""
    text = "rssi: \(sentence)\(advice)"
  }
}

/// The stages for words that people try first.
private let guessedStages = [
  ("scan list ls devices", "`rssi beacons` (list) or `rssi capture` (record)"),
  ("record sniff log", "`rssi capture`"),
  ("evaluate compare benchmark score test", "`rssi eval`"),
  ("plot draw graph chart", "`rssi fit --picture FILE` or `rssi eval --report FILE`"),
  ("trilaterate trilateration position track localize localise", "`rssi locate`"),
  ("monitor live distance range", "`rssi watch`"), ("web dashboard page", "`rssi serve`"),
  ("show view inspect", "`rssi info`"), ("convert csv", "`rssi import` or `rssi export`"),
  ("smooth kalman", "`rssi filter`"), ("survey fingerprint train learn", "`rssi map`"),
  ("beacon broadcast", "`rssi advertise`"),
]

extension ParsableCommand {
  /// Refuses unknown stages, which the parser would call unexpected arguments of the stage above,
  /// or answer with its help.
  static func requireStages(_ words: ArraySlice<String>) throws(RSSIError) {
    var words = words
    var stage: any ParsableCommand.Type = Self.self
    var path: [String] = []
    if words.first == "help" { words.removeFirst() }
    while let word = words.popFirst(), !word.hasPrefix("-"), word != "help" {
      let stages = stage.configuration.subcommands
      guard !stages.isEmpty else { return }
      guard let next = stages.first(where: { $0.configuration.commandName == word }) else {
        let names = stages.compactMap { $0.configuration.commandName }
        let name = (path + [word]).joined(separator: " ")
        let hint =
          (path.isEmpty ? guessedStages : []).first {
            $0.0.split(separator: " ").contains(word.lowercased()[...])
          }.map { ": use \($0.1)" }
          ?? nearestName(to: word, among: names).map { ": did you mean \"\($0)\"?" }
          ?? "; `\((["rssi help"] + path).joined(separator: " "))` lists all"
        throw RSSIError(.usage, "unknown stage \"\(name)\"\(hint)")
      }
      stage = next
      path.append(word)
    }
  }
}

extension RSSIError {
  /// The error that ends the program: nil for an error of the argument parser.
  init?(_ error: any Error) {
    switch error {
    case let error as RSSIError: self = error
    case is EncodingError:
      self.init(.failed, "cannot write JSON: a figure is not a finite number")
    default: return nil
    }
  }

  /// The exit code that scripts rely on.
  var exitCode: Int32 {
    switch kind {
    case .closedPipe: 0
    case .failed: 1
    case .usage: 64
    case .badInput: 65
    case .noInput: 66
    case .unavailable, .protocolViolation: 69
    case .inputOutput: 74
    case .permission: 77
    }
  }

  /// Writes the error on standard error; a closed pipe is not a failure.
  func report() {
    if kind != .closedPipe { StandardError.write(line: "rssi: \(self)".namingOptions) }
  }
}
