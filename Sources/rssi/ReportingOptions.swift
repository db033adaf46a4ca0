import ArgumentParser
import Reporting
import Support
import TracePipelines
import TraceStore

/// Options of every stage that reports.
struct ReportingOptions: ParsableArguments {
  @Flag(help: "Print the report as one JSON document.")
  var json = false

  @OptionGroup var messages: MessageOptions

  /// Writes a report to standard output: one JSON document, or text for people.
  func report(
    _ document: @autoclosure () throws -> JSONValue, text: @autoclosure () throws -> String
  ) throws {
    try report(try document(), text: TextReport(try text()))
  }

  func report(
    _ document: @autoclosure () throws -> JSONValue, text: @autoclosure () throws -> TextReport
  ) throws {
    if json { return try StandardOutput.write(jsonText(try document())) }
    try StandardOutput.show(try text())
  }

  func report(_ part: WrittenShard) throws {
    let written = WrittenShardReport(part)
    try report(written.json, text: written.text)
  }

  var quiet: Bool { messages.quiet }
  var context: StageContext { messages.context() }
  var log: ConsoleLog { messages.log }
  func note(_ text: String) { log.note(text) }

  /// Names files that a stage wrote, below its report.
  func wrote(_ paths: [String?]) throws {
    try StandardOutput.flush()
    for path in paths { if let path { note("wrote \(path)") } }
  }

  /// Writes a warning of one line to standard error.
  func warn(_ text: String) { log.warn(text) }
}

/// Options of messages on standard error.
struct MessageOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Print only errors on standard error.")
  var quiet = false

  /// The log for notes and progress.
  var log: ConsoleLog { ConsoleLog(isQuiet: quiet) }

  /// The surroundings of a stage.
  ///
  /// - Parameters:
  ///   - tool: the program as files name it.
  ///   - board: receives the metrics of a stage that reads a stream.
  func context(as tool: ToolIdentity = .program, board: MetricsBoard? = nil) -> StageContext {
    var context = StageContext(tool: tool, log: log, lines: StandardOutputLines())
    context.board = board
    return context
  }
}
