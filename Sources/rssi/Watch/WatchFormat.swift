import ArgumentParser
import Glibc
import Reporting
import Screens
import Support

/// The form of a watch's output.
enum WatchFormat: String, CaseIterable, ExpressibleByArgument {
  /// Drawn on a terminal.
  case screen
  /// Sentences and tables, for people and logs.
  case text
  /// One JSON object per line, for programs.
  case ndjson
}

/// The abilities of the terminal at standard output, if there is one.
struct OutputTerminal {
  let isTerminal: Bool
  /// A terminal that can do no more than print.
  let isDumb: Bool
  let isColoured: Bool
  let isUnicode: Bool

  init() {
    isTerminal = isatty(STDOUT_FILENO) == 1
    let kind = Self.variable("TERM")
    isDumb = kind == nil || kind == "dumb"
    // no-color.org: any value that is not empty.
    isColoured = Self.variable("NO_COLOR") == nil
    // The order in which POSIX asks them (Base Definitions, 8.2).
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Self.variable($0) }.first
    let words = locale?.lowercased() ?? ""
    isUnicode = words.contains("utf-8") || words.contains("utf8")
  }

  var canDraw: Bool { isTerminal && !isDumb }

  /// The layout of reports.
  var layout: TextLayout {
    TextLayout(
      width: isTerminal ? ScreenTerminal.size.columns : nil, isUnicode: isUnicode || !isTerminal,
      isBold: canDraw && isColoured)
  }

  /// The value of a variable of the environment; nil if it is empty.
  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}

/// The choice of the form of a watch's output.
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
  /// - Parameter isFile: true if the input is read at once.
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
