import ArgumentParser
import Evaluation
import Glibc
import Positioning
import Reporting
import Support
import TracePipelines
import TraceStore

struct BenchmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmark",
    abstract: "Compare algorithms of rssi and of others on public recordings.",
    discussion: """
      A recipe (TOML) names a public data set, the digests of its files, and the question. Nothing is \
      downloaded unless `fetch` asks for it. Pages repeat byte for byte, without computing times.

      EXAMPLES:
        rssi benchmark list walks.toml
        rssi benchmark run walks.toml --from . --report out
        rssi benchmark fetch care-room && \\
          rssi benchmark run care-room --report out
      """,
    subcommands: [
      BenchmarkListCommand.self, BenchmarkFetchCommand.self, BenchmarkRunCommand.self,
    ])
}

/// The recipes, and the place of the files.
struct RecipeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Folder of recipes (default: that of the installation, else benchmarks).",
      valueName: "folder"), completion: .directory)
  var recipes: String?

  /// The folder of recipes.
  var folder: String {
    if let recipes { return recipes }
    let program = programPath.split(separator: "/", omittingEmptySubsequences: false)
    let installed = program.dropLast(2).joined(separator: "/") + "/share/rssi/benchmarks"
    return access(installed, F_OK) == 0 ? installed : "benchmarks"
  }

  /// Returns recipes by their names; `all` stands for every one, and a name may be a file.
  func named(_ names: [String]) throws -> [BenchmarkRecipe] {
    guard !names.contains("all") else { return try BenchmarkRecipe.all(in: folder) }
    let paths = names.map { $0.hasSuffix(".toml") ? $0 : "\(folder)/\($0).toml" }
    if let missing = paths.first(where: { access($0, F_OK) != 0 }) {
      let known = try BenchmarkRecipe.all(in: folder).map(\.name)
      throw RSSIError(
        .usage, "there is no recipe \(missing)",
        advice: "choose of \(known.joined(separator: ", "))")
    }
    return try paths.map { try BenchmarkRecipe(path: $0) }
  }

  /// The folder of downloaded files.
  static var downloads: String {
    (KeptRegistry.userFolder("XDG_CACHE_HOME", else: ".cache") ?? "./.cache") + "/rssi/benchmarks"
  }
}

struct BenchmarkListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List recipes.",
    usage: "rssi benchmark list [<options>] [<name> ...]",
    discussion: """
      EXAMPLES:
        rssi benchmark list walks.toml
        rssi benchmark list walks.toml --json
      """)

  @Argument(
    help: ArgumentHelp("Names of recipes, files of recipes, or all (default).", valueName: "name"))
  var names: [String] = []

  @OptionGroup var recipes: RecipeOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let list = RecipeList(try recipes.named(names.isEmpty ? ["all"] : names))
    try reporting.report(list.json, text: list.text)
  }
}

struct BenchmarkFetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Download the published files of recipes.",
    usage: "rssi benchmark fetch [<options>] <name> ...",
    discussion: """
      Each file is checked against the SHA-256 of its recipe. Files that are there already are kept.

      EXAMPLES:
        rssi benchmark fetch care-room
        rssi benchmark fetch care-room cnr-walks --to sets
      """)

  @Argument(help: ArgumentHelp("Names of recipes, files of recipes, or all.", valueName: "name"))
  var names: [String]

  @Option(
    help: ArgumentHelp(
      "Folder that gets a folder for each set (default: $XDG_CACHE_HOME/rssi/benchmarks, else in ~/.cache).",
      valueName: "folder"), completion: .directory)
  var to: String?

  @OptionGroup var recipes: RecipeOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let fetched = try BenchmarkFetchStage(
      BenchmarkFetchRequest(try recipes.named(names), to: to ?? RecipeOptions.downloads)
    ).run(in: reporting.context)
    let report = FetchedFiles(fetched)
    try reporting.report(report.json, text: report.text)
  }
}

struct BenchmarkRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Evaluate algorithms on public sets, side by side.",
    usage: "rssi benchmark run [<options>] <name> ... --report <folder>",
    discussion: """
      Writes into the folder of --report: index.html, index.md and index.json with all sets, for each \
      set a page, its figures (.json) and every answer (.answers.csv), and times.json.

      EXAMPLES:
        rssi benchmark run walks.toml --from . --report out
        rssi benchmark run walks.toml --from . --report out \\
          --algorithms weighted-centroid --algorithm min-max
      """)

  @Argument(help: ArgumentHelp("Names of recipes, files of recipes, or all.", valueName: "name"))
  var names: [String]

  @Option(
    help: ArgumentHelp(
      "Folder with a folder of files for each set, or the folder of one set (default: that of `rssi benchmark fetch`).",
      valueName: "folder"), completion: .directory)
  var from: String?

  @Option(
    help: ArgumentHelp("Folder to write the pages to.", valueName: "folder"),
    completion: .directory)
  var report: String

  @Option(
    help: ArgumentHelp(
      "Algorithm of `rssi eval`, or exec:PROGRAM, in addition to those of the recipe; repeatable.",
      valueName: "algorithm"), completion: .list(Algorithms.names))
  var algorithm: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only these algorithms, separated by commas.", valueName: "list"),
    completion: .list(Algorithms.names))
  var algorithms: String?

  @Option(
    help: ArgumentHelp(
      "Program of others (peers/NAME.py in the folder of recipes), or all except those with --peer-source; repeatable.",
      valueName: "name"))
  var peer: [String] = []

  @Option(help: ArgumentHelp("Python with the packages of peers.", valueName: "program"))
  var python = "python3"

  @Option(
    help: ArgumentHelp(
      "Folder with the source of a peer without a package.", valueName: "folder"),
    completion: .directory)
  var peerSource: String?

  @Option(help: ArgumentHelp("Time limit for one answer of a program.", valueName: "time"))
  var patience = "60s"

  @OptionGroup var recipes: RecipeOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var request = BenchmarkRequest(
      try recipes.named(names), from: from ?? RecipeOptions.downloads)
    if let algorithms { request.algorithms = Algorithms.names(in: algorithms) }
    request.others = algorithm.map(Algorithms.canonical)
    request.peers = try peers()
    request.patience = try time(patience, "--patience", ChosenAlgorithm.patiences)
    let folder = report.hasSuffix("/") ? String(report.dropLast()) : report
    try requireFolder(folder)
    var written: [String] = []
    func write(_ files: [(path: String, text: String)]) throws {
      for (path, text) in files {
        try writeWhole(Array(text.utf8), to: path)
        written.append(path)
      }
    }
    request.take = { set in
      try makeFolder(folder)
      let command = commandLine([set.recipe.name], request)
      let path = "\(folder)/\(set.recipe.name)"
      switch set.evaluation {
      case .positions(var document):
        document.provenance.commandLine = command
        for suffix in ["html", "json", "answers.csv"] {
          try ReportForm(path: "\(path).\(suffix)").write(document)
          written.append("\(path).\(suffix)")
        }
      case .distances(let evaluation):
        let report = DistanceReport(
          evaluation, title: set.recipe.title, by: .program, command: command)
        try write([
          ("\(path).html", report.page), ("\(path).json", jsonText(report.json)),
          ("\(path).distances.csv", report.csv),
        ])
      }
    }
    let sets = try BenchmarkStage(request).run(in: reporting.context)
    let overview = BenchmarkOverview(
      sets, by: .program, command: commandLine(sets.map(\.recipe.name), request))
    try write([
      ("\(folder)/index.html", overview.page), ("\(folder)/index.md", overview.markdown),
      ("\(folder)/index.json", jsonText(overview.json)),
      ("\(folder)/times.json", jsonText(overview.times)),
    ])
    try reporting.report(overview.json, text: overview.text)
    try reporting.wrote(written)
  }

  /// Returns the command without what depends on the machine.
  private func commandLine(_ sets: [String], _ request: BenchmarkRequest) -> String {
    let words =
      ["rssi", "benchmark", "run"] + sets + (algorithms.map { ["--algorithms", $0] } ?? [])
      + request.others.flatMap { ["--algorithm", $0] }
      + request.peers.flatMap { ["--peer", $0.name] }
    return words.map(\.shellWord).joined(separator: " ")
  }

  /// Returns the programs of others with their commands for the shell.
  ///
  /// Those in the folders `with-source` and `distances` need their source, or estimate distances.
  private func peers() throws -> [BenchmarkPeer] {
    let folder = "\(recipes.folder)/peers"
    let known = ["", "distances/", "with-source/"].flatMap { kind in
      entries(ofFolder: "\(folder)/\(kind)").filter { $0.hasSuffix(".py") }.sorted()
        .map { (name: String($0.dropLast(3)), kind: kind, path: "\(folder)/\(kind)\($0)") }
    }
    return try peer.flatMap { asked in
      let chosen = known.filter { asked == "all" ? $0.kind != "with-source/" : $0.name == asked }
      guard !chosen.isEmpty || asked == "all" else {
        throw RSSIError(
          .usage, "there is no peer \"\(asked)\"",
          advice: "choose of \(known.map(\.name).joined(separator: ", "))")
      }
      return try chosen.map { one in
        var words = [python, one.path]
        if one.kind == "with-source/" {
          guard let peerSource else {
            throw RSSIError(
              .usage, "the peer \(one.name) needs its source",
              advice: "give its folder with --peer-source")
          }
          words.append(peerSource)
        }
        return BenchmarkPeer(
          one.name, command: words.map(\.shellWord).joined(separator: " "),
          quantity: one.kind == "distances/" ? .distances : .positions)
      }
    }
  }
}
