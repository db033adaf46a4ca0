import Evaluation
import Positioning
import Recordings
import Sites
public import Support

/// A public data set as a benchmark: its files, the traces that they become, and the question.
///
/// A recipe is a TOML file, described in docs/benchmark.md, and has no code: tables become traces
/// by the column maps of an import.
///
/// ```swift
/// let recipe = try BenchmarkRecipe(path: "benchmarks/flat-walks.toml")
/// print(recipe.title, recipe.licence)
/// ```
public final class BenchmarkRecipe: Sendable {
  /// A file of the publication.
  public struct File: Sendable {
    /// The path below the folder of the set.
    public var name: String
    /// The address of the file; `nil` if it must be given in a folder.
    public var url: String?
    /// The SHA-256 in hexadecimal digits; `nil` if it is not known.
    public var sha256: String?
    /// The content of a file that the recipe itself has, such as places of anchors.
    var text: String?
  }

  /// The name of the set: that of the file without its extension.
  public let name: String
  /// A short description of the recordings.
  public let title: String
  /// The question that the benchmark answers.
  public let question: String
  /// The place of the publication.
  public let source: String
  /// The licence of the data.
  public let licence: String
  /// The files of the publication.
  public let files: [File]
  /// A Boolean value that is true if every published file has a known digest.
  public var isVerified: Bool { files.allSatisfy { $0.text != nil || $0.sha256 != nil } }
  /// A Boolean value that is true if every file has an address to download it from.
  public var isPublished: Bool { files.allSatisfy { $0.text != nil || $0.url != nil } }

  /// The imports that make the traces, with paths below the folder of the set.
  let imports: [ImportRequest]
  /// The evaluation, whose inputs are names of traces.
  let task: Task

  indirect enum Task: Sendable {
    case positions(EvaluationRequest)
    case distances(DistanceBenchmark)
  }

  /// A quantity that algorithms estimate.
  public enum Quantity: String, CaseIterable, Sendable { case positions, distances }

  /// The quantity that algorithms estimate.
  public var quantity: Quantity {
    switch task {
    case .positions: .positions
    case .distances: .distances
    }
  }

  /// The largest size of a recipe in bytes.
  fileprivate static let maximumLength = 1_000_000
  fileprivate static let maximumAddressLength = 2_000

  /// Reads a recipe.
  ///
  /// - Throws: `RSSIError` for a file that cannot be read, or has another content.
  public init(path: String) throws(RSSIError) {
    let bytes = try contents(ofFile: path, atMost: Self.maximumLength + 1)
    guard bytes.count <= Self.maximumLength else { throw .tooLong(path: path, limit: 1_000_000) }
    let root = try TOMLTable(bytes, path: path)
    try root.requireKeys([
      "title", "question", "source", "licence", "files", "traces", "evaluation",
    ])
    name = fileStem(path)
    title = try root.text("title")
    question = try root.text("question")
    source = try root.text("source", upTo: Self.maximumAddressLength)
    licence = try root.text("licence")
    files = try root.tables("files", keys: ["name", "url", "sha256", "text"])
      .map { table throws(RSSIError) in try File(table) }
    let imports = try root.tables("traces", keys: ImportRequest.keys)
      .map { table throws(RSSIError) in try ImportRequest(table) }
    for (key, isMissing) in [("files", files.isEmpty), ("traces", imports.isEmpty)] where isMissing
    {
      throw root.problem(key, "[[\(key)]] is missing")
    }
    self.imports = imports
    task = try Task(root.table("evaluation"), traces: imports.map { fileStem($0.output) })
    for (number, file) in files.enumerated()
    where files[..<number].contains(where: { $0.name == file.name }) {
      throw root.problem("files", "\"\(file.name)\" is listed twice")
    }
  }

  /// Reads the recipes of a folder, in the order of their names.
  ///
  /// - Throws: `RSSIError` for a folder without recipes, and for files of another content.
  public static func all(in folder: String) throws(RSSIError) -> [BenchmarkRecipe] {
    let names = entries(ofFolder: folder).filter { $0.hasSuffix(".toml") }.sorted()
    guard !names.isEmpty else {
      throw RSSIError(
        .noInput, "no recipes (*.toml) in \(folder)", advice: "name their folder with `recipes`")
    }
    return try names.map { name throws(RSSIError) in
      try BenchmarkRecipe(path: "\(folder)/\(name)")
    }
  }
}

extension BenchmarkRecipe.File {
  fileprivate init(_ table: TOMLTable) throws(RSSIError) {
    name = try table.path("name")
    url = try table.optionalText("url", upTo: BenchmarkRecipe.maximumAddressLength)
    sha256 = try table.optionalText("sha256")?.lowercased()
    text = try table.optionalText("text", upTo: BenchmarkRecipe.maximumLength)
    if let sha256, sha256.utf8.count != 64 || !sha256.allSatisfy(\.isHexDigit) {
      throw table.problem("sha256", "sha256 must have 64 hexadecimal digits")
    }
    if text != nil, url != nil || sha256 != nil {
      throw table.problem("text", "a file of the recipe has no url and no sha256")
    }
  }
}

extension ImportRequest {
  fileprivate static let keys = [
    "name", "inputs", "nodes", "truth", "receiver", "columns", "levels", "not_heard", "time_zone",
    "trace",
  ]

  fileprivate init(_ table: TOMLTable) throws(RSSIError) {
    self.init(
      files: try table.paths("inputs"), output: try table.path("name"),
      nodes: try table.optionalText("nodes").map { _ throws(RSSIError) in try table.path("nodes") },
      truth: try table.paths("truth"), receiver: try table.optionalText("receiver"))
    trace = try table.optionalText("trace")
    for text in try table.optionalTexts("columns") ?? [] {
      let map = try ColumnMap(text)
      switch map.kind {
      case .nodes: nodeColumns = map
      case .truth: truthColumns = map
      default: columns = map
      }
    }
    columns.levels = try table.optionalText("levels").map { text throws(RSSIError) in
      try LevelColumns(text)
    }
    columns.notHeard = try table.numbers("not_heard")
    let zone = try table.optionalText("time_zone").map { text throws(RSSIError) in
      try TimeZoneRules(text)
    }
    (columns.timeZone, nodeColumns.timeZone, truthColumns.timeZone) = (zone, zone, zone)
    guard !files.isEmpty else { throw table.problem("inputs", "inputs must have names of files") }
  }
}

extension BenchmarkRecipe.Task {
  /// - Parameter traces: the names of the traces of the recipe.
  fileprivate init(_ table: TOMLTable, traces: [String]) throws(RSSIError) {
    switch try table.choice("quantity", BenchmarkRecipe.Quantity.init) ?? .positions {
    case .positions: self = .positions(try EvaluationRequest(table, traces: traces))
    case .distances: self = .distances(try DistanceBenchmark(table, traces: traces))
    }
  }
}

extension DistanceBenchmark {
  fileprivate init(_ table: TOMLTable, traces: [String]) throws(RSSIError) {
    try table.requireKeys(["quantity", "cross_validate", "epoch", "algorithms"])
    guard let unit = try table.choice("cross_validate", CrossValidation.init) else {
      throw table.problem("cross_validate", "cross_validate must be traces or places")
    }
    self.init(inputs: traces, crossValidate: unit)
    let length = try table.text("epoch")
    if length != "stay" {
      window = try table.duration(length, "epoch")
    }
    algorithms = try table.algorithms()
  }
}

extension EvaluationRequest {
  /// - Parameter traces: the names of the traces of the recipe; all but the survey are scored.
  fileprivate init(_ table: TOMLTable, traces: [String]) throws(RSSIError) {
    self.init()
    try table.requireKeys([
      "quantity", "survey", "cross_validate", "folds", "by", "epoch", "truth_at", "trace",
      "algorithms", "site",
    ])
    survey = try table.optionalTexts("survey") ?? []
    for name in survey where !traces.contains(name) {
      throw table.problem("survey", "there are no [[traces]] named \"\(name)\"")
    }
    inputs = traces.filter { [survey] in !survey.contains($0) }
    crossValidate = try table.choice("cross_validate", CrossValidation.init)
    folds = try table.optionalNumber("folds", in: 2...1e6).map { Int($0) }
    by = try table.choice("by") { Grouping($0) }
    let length = try table.text("epoch")
    switch length {
    case "stay": epoch = .stays
    case "place": epoch = .places
    default:
      let step = try table.duration(length, "epoch")
      epoch = .periodic(step: step, window: step)
    }
    truthAt = try table.choice("truth_at") {
      $0 == "middle" ? .windowMiddle : $0 == "end" ? .epoch : nil
    }
    trace = try table.optionalTexts("trace") ?? []
    algorithms = try table.algorithms()
    site = try table.optionalText("site")
  }
}

extension TOMLTable {
  /// Returns the names of algorithms.
  fileprivate func algorithms() throws(RSSIError) -> [String] {
    let names = try (optionalTexts("algorithms") ?? []).map { Algorithms.canonical($0) }
    // A recipe may come from anywhere.
    guard !names.contains(where: { $0.contains("exec:") }) else {
      throw problem("algorithms", "a recipe runs no programs; name them when it is run")
    }
    return names
  }

  fileprivate func numbers(_ key: String) throws(RSSIError) -> [Double]? {
    guard let value = self[key] else { return nil }
    guard let numbers = value.array?.map(\.number), !numbers.contains(nil) else {
      throw problem(key, "\(key) must be a list of numbers")
    }
    return numbers.compactMap(\.self)
  }

  fileprivate func choice<Value>(
    _ key: String, _ value: (String) -> Value?
  ) throws(RSSIError) -> Value? {
    guard let text = try optionalText(key) else { return nil }
    guard let value = value(text) else { throw problem(key, "invalid \(key) \"\(text)\"") }
    return value
  }

  fileprivate func duration(_ text: String, _ key: String) throws(RSSIError) -> Duration {
    do {
      return try EvaluationRequest.epochs.duration(text, key)
    } catch { throw problem(key, error.problem) }
  }

  /// Returns a path that stays below the folder of the set.
  fileprivate func path(_ key: String) throws(RSSIError) -> String { try checked(text(key), key) }

  fileprivate func paths(_ key: String) throws(RSSIError) -> [String] {
    try (optionalTexts(key) ?? []).map { path throws(RSSIError) in try checked(path, key) }
  }

  private func checked(_ path: String, _ key: String) throws(RSSIError) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw problem(key, "\(key) must be below the folder of the set, found \"\(path)\"")
    }
    return path
  }
}
