import ArgumentParser
import Filtering
import Support
import TraceStore

struct FilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Filter the levels of each link in time.",
    discussion: """
      \(listOfFilters())

      Parameters follow the name, as in kalman:q=0.5,r=9 or median:window=2s; omitted parameters have \
      their defaults, and q and r are estimated from the levels. Several filters form a chain. The \
      output is a copy of the trace with the filtered levels under /filtered/NAME; a stream (-) is \
      read and written as NDJSON. docs/filters.md describes each filter.
      """)

  @Argument(help: "Trace, or - for NDJSON on standard input.")
  var input: String

  @Option(name: .shortAndLong, help: "Trace to write; may be the input itself.")
  var output: String?

  @OptionGroup var filters: FilterOptions

  @Option(
    help: ArgumentHelp(
      "Compare filters on a trace instead, as a table of errors.",
      discussion:
        "Separate filters with commas; join the filters of a chain with +, as in kalman,median:window=1s,hampel+kalman; all = every filter without required parameters.",
      valueName: "filters"))
  var compare: String?

  @Option(
    help:
      "With --compare: number of levels at the start of each link that are not scored. (default: 10)"
  )
  var settling: Int?

  @OptionGroup var pictured: PicturedLink

  @Option(
    help: "Name of the filtered levels in the file (default: the filters' names joined by +).")
  var name: String?

  @OptionGroup var known: RegistryOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    if let compare { return try runComparison(compare) }
    guard pictured.isEmpty, settling == nil else {
      throw RSSIError(.usage, "--picture and --settling go with --compare: name filters there")
    }
    let chain = try filters.chain()
    let name = self.name ?? chain.map(\.name).joined(separator: "+")
    guard !name.isEmpty, !name.contains("/"), name != "." else {
      throw RSSIError(
        .usage, "the name \"\(name)\" cannot be a group in the file: leave out slashes")
    }
    if input == "-" {
      guard output == nil || output == "-" else {
        throw RSSIError(
          .usage, "a stream is filtered into a stream: leave -o out, or import it first")
      }
      guard !reporting.json else {
        throw RSSIError(.usage, "--json reports on a trace, not on a stream")
      }
      try FilteredStream(
        chain: chain, reorder: filters.reorderWindow(), resetAfter: filters.longestGap(),
        note: reporting.note
      ).run()
      return
    }
    guard let output else {
      throw RSSIError(.usage, "name the trace to write with -o; it may be the input itself")
    }
    var files = CommandFiles()
    files.read([input])
    files.read([self.known.path], as: "--registry")
    files.write([output], as: "-o", mayReplace: [input])
    try files.check(reporting)
    try FilteredTrace(
      input: input, output: output, name: name, chain: chain, reorder: filters.reorderWindow(),
      resetAfter: filters.longestGap(), registry: known.load(), reporting: reporting
    ).run()
  }

  private func runComparison(_ text: String) throws {
    guard input != "-" else {
      throw RSSIError(.usage, "--compare reads a trace several times: import the stream first")
    }
    guard output == nil else {
      throw RSSIError(
        .usage, "--compare writes no trace: leave -o out; --picture FILE draws one")
    }
    guard filters.filter.isEmpty, name == nil else {
      throw RSSIError(
        .usage, "--compare names the filters itself: leave --filter and --name out")
    }
    guard pictured.picture != nil || pictured.isEmpty else {
      throw RSSIError(.usage, "--picture-beacon and --picture-receiver go with --picture FILE")
    }
    let settling = settling ?? 10
    guard settling >= 0 else {
      throw RSSIError(.usage, "--settling \(settling): write 0 or more")
    }
    try FilterComparison(
      input: input, chains: comparedChains(text), reorder: filters.reorderWindow(),
      resetAfter: filters.longestGap(), settling: settling, picture: pictured.picture,
      link: pictured, reporting: reporting
    ).run()
  }

  private static func listOfFilters() -> String {
    let width = FilterKind.all.map(\.name.count).max() ?? 0
    return FilterKind.all.map { kind in
      let parameters = kind.parameters.map { parameter in
        parameter.name + ((parameter.fallback ?? parameter.example).map { "=\($0)" } ?? "")
      }
      let name = kind.name + String(repeating: " ", count: width - kind.name.count)
      return "\(name)  \(kind.summary)"
        + (parameters.isEmpty ? "" : " (\(parameters.joined(separator: ", ")))")
    }.joined(separator: "\n")
  }
}
