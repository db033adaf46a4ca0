import ArgumentParser
import Support

/// What a watch is shown as.
struct WatchFormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Output format. (default: on a terminal, screen for a live source and text for a file; else ndjson)",
      valueName: "format"))
  var format: WatchFormat?

  @Flag(help: "Ring the terminal bell when a region is entered or a range is reached.")
  var bell = false

  /// The format for an input, given what can be drawn on.
  ///
  /// - Parameter isFile: whether the input is read at once.
  func chosen(isFile: Bool, _ terminal: OutputTerminal, _ reporting: ReportingOptions) throws
    -> WatchFormat
  {
    var chosen = format ?? (terminal.isTerminal && !reporting.json ? .screen : .ndjson)
    if chosen == .screen {
      if isFile, format == .screen {
        throw RSSIError(
          .usage,
          "a file is read at once, and a screen shows what changes: use replay:FILE")
      }
      if isFile || !terminal.canDraw { chosen = .text }
      if format == .screen, chosen == .text {
        reporting.warn(
          "the output is not a terminal that can show a screen: findings are printed as text")
      }
    }
    if bell, chosen == .ndjson || !terminal.isTerminal {
      throw RSSIError(.usage, "--bell needs a terminal, with --format screen or text")
    }
    return chosen
  }
}
