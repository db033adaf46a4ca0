import Capture
import Glibc
import LivePipelines
import Support
import TraceStore

/// The signals to this program, and the line on a terminal that shows the progress of a recording.
struct ProgramControl: LiveControl {
  private let showsStatus: Bool

  /// - Parameter showsStatus: true to show a line if standard error is a terminal.
  init(showsStatus: Bool = false) { self.showsStatus = showsStatus && StandardError.isTerminal }

  var isStopAsked: Bool { StopSignals.isStopAsked }
  func takeRotation() -> Bool { StopSignals.takeRotation() }

  func show(_ status: RecordStatus?) {
    guard showsStatus else { return }
    guard let status else { return StandardError.write("\r\u{1B}[K") }
    let rate = status.reportsPerSecond
    var text = "\r\(decimal(rate, rate < 10 ? 1 : 0)) reports/s, \(status.beacons) beacons, "
    text += "\(status.lost) lost"
    if let path = status.path {
      text += ", \(path.printable) \(decimal(Double(fileSize(path)) / 1e6, 1)) MB"
    }
    StandardError.write(text + "\u{1B}[K")
  }
}

extension LiveContext {
  /// The context of an engine in this program.
  ///
  /// - Parameter showsStatus: true to show the progress of a recording.
  init(_ reporting: ReportingOptions, showsStatus: Bool = false) {
    self.init(reporting.messages, showsStatus: showsStatus)
  }

  /// The same, for a stage without a report.
  init(_ messages: MessageOptions, showsStatus: Bool = false) {
    self.init(
      messages.context(), control: ProgramControl(showsStatus: showsStatus && !messages.quiet))
  }
}

extension PackingProgram {
  /// The running program, by its process if /proc shows it: its file may be another version by now.
  static var thisProgram: PackingProgram {
    let running = "/proc/\(getpid())/exe"
    return PackingProgram(
      executable: access(running, X_OK) == 0 ? running : programPath,
      arguments: ["pack", "--quiet"], environment: childEnvironment())
  }
}
