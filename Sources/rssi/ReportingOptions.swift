import ArgumentParser
import Support

/// Options of every stage that reports.
struct ReportingOptions: ParsableArguments {
  @Flag(help: "Print the report as one JSON document.")
  var json = false

  @Flag(name: [.short, .long], help: "Print only errors on standard error.")
  var quiet = false

  /// Writes a report to standard output: one JSON document, or text for people.
  func report(
    _ document: @autoclosure () throws -> JSONValue, text: @autoclosure () throws -> String
  ) throws {
    if json { return try StandardOutput.write(jsonText(try document())) }
    try StandardOutput.show(try text())
  }

  /// Where engines send notes and progress.
  var log: ConsoleLog { ConsoleLog(isQuiet: quiet) }

  /// Writes a message of one line to standard error.
  func note(_ text: String) { log.note(text) }
}
