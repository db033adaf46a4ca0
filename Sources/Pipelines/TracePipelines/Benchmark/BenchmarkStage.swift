public import Evaluation
import Glibc
import Recordings
import Support

/// A benchmark: the sets, the folder of their files, and the algorithms.
public struct BenchmarkRequest {
  /// The sets to run.
  public var recipes: [BenchmarkRecipe]
  /// The folder with a folder for each set; the folder of the set itself for one set.
  public var folder: String
  /// Algorithms by their names; empty for those of each recipe, or ``defaultAlgorithms``.
  public var algorithms: [String] = []
  /// Algorithms that compete with those.
  public var others: [String] = []
  /// Programs of others that compete, by the names that reports show.
  public var peers: [(name: String, command: String)] = []
  /// The longest time that a program may take for one answer.
  public var patience: Duration = .seconds(60)
  /// Receives each set as soon as it is evaluated.
  public var take: (BenchmarkedSet) throws -> Void = { _ in }

  /// The algorithms of a set among anchors at known places.
  public static let defaultAlgorithms = [
    "nearest-anchor", "weighted-centroid", "range-least-squares", "maximum-likelihood",
    "posterior-mean", "fingerprint", "gaussian-process", "kalman:map=yes", "particle-filter",
    "particle-filter:map=yes", "grid-filter:map=yes", "grid-smoother:map=yes",
  ]

  /// Creates a request to run recipes on files in a folder.
  public init(_ recipes: [BenchmarkRecipe], from folder: String) {
    (self.recipes, self.folder) = (recipes, folder)
  }
}

/// The evaluation of one set.
public final class BenchmarkedSet: Sendable {
  /// The recipe of the set.
  public let recipe: BenchmarkRecipe
  /// The evaluation; the same files and programs give the same values on every machine.
  public let document: EvaluationDocument
  /// The names of the programs of others.
  public let peers: Set<String>
  /// The computing times, which differ from run to run.
  public let times: [AnswerTime]

  init(
    _ recipe: BenchmarkRecipe, _ document: EvaluationDocument, peers: Set<String>,
    times: [AnswerTime]
  ) {
    (self.recipe, self.document, self.peers, self.times) = (recipe, document, peers, times)
  }
}

/// Turns the files of each recipe into traces, and evaluates algorithms on them.
public struct BenchmarkStage: Stage {
  private let request: BenchmarkRequest

  public init(_ request: BenchmarkRequest) { self.request = request }

  /// Runs the recipes one after the other.
  ///
  /// - Throws: `RSSIError` for files that are missing or differ from the recipe, tables that cannot
  ///   be imported, and evaluations that cannot be made.
  public func perform(in context: StageContext) throws -> [BenchmarkedSet] {
    // Quick refusals come before hours of computing.
    let digests = try request.recipes.map { recipe in
      let files = BenchmarkFiles(recipe, in: try folder(of: recipe))
      return try recipe.files.filter { $0.text == nil }.map(files.digest)
    }
    return try zip(request.recipes, digests).map { recipe, inputs in
      context.log.note("\(recipe.name): \(recipe.title)")
      let set = try run(recipe, inputs, context)
      try request.take(set)
      return set
    }
  }

  private func folder(of recipe: BenchmarkRecipe) throws(RSSIError) -> String {
    let own = "\(request.folder)/\(recipe.name)"
    if isFolder(own) { return own }
    return request.recipes.count == 1 && isFolder(request.folder) ? request.folder : own
  }

  private func run(
    _ recipe: BenchmarkRecipe, _ inputs: [EvaluationProvenance.Input], _ context: StageContext
  ) throws -> BenchmarkedSet {
    let working = try TemporaryFolder()
    let folder = try folder(of: recipe)
    var places: [String: String] = [:]
    for file in recipe.files {
      let made = BenchmarkFiles(recipe, in: working.path)
      places[file.name] = file.text == nil ? "\(folder)/\(file.name)" : made.path(file)
      guard let text = file.text else { continue }
      makeFolders(of: made.path(file))
      try writeWhole(Array(text.utf8), to: made.path(file))
    }
    func path(_ name: String) throws(RSSIError) -> String {
      guard let path = places[name] else {
        throw RSSIError(.badInput, "\(recipe.name): \(name) is not in [[files]] of the recipe")
      }
      return path
    }
    for asked in recipe.imports {
      var made = asked
      made.files = try asked.files.map { name in
        try tableFiles(name).map(path).joined(separator: "+")
      }
      made.nodes = try asked.nodes.map(path)
      made.truth = try asked.truth.map(path)
      made.output = "\(working.path)/\(fileStem(asked.output)).h5"
      _ = try ImportStage(made).run(in: context)
    }
    var evaluation = recipe.evaluation
    evaluation.inputs = evaluation.inputs.map { "\(working.path)/\($0).h5" }
    evaluation.survey = evaluation.survey.map { "\(working.path)/\($0).h5" }
    evaluation.site = try evaluation.site.map(path)
    if !request.algorithms.isEmpty {
      evaluation.algorithms = request.algorithms
    } else if evaluation.algorithms.isEmpty {
      evaluation.algorithms = BenchmarkRequest.defaultAlgorithms
    }
    let named = Set(evaluation.algorithms)
    evaluation.algorithms += request.others.filter { !named.contains($0) }
    (evaluation.programs, evaluation.patience) = (request.peers, request.patience)
    let times = AnswerTimes()
    evaluation.times = times
    var document = try EvaluationStage(evaluation).run(in: context)
    document.title = recipe.title
    document.notes = document.notes.map { $0.replacing("\(working.path)/", with: "") }
    document.provenance.inputs = inputs
    return BenchmarkedSet(
      recipe, document, peers: Set(request.peers.map(\.name)), times: times.all)
  }
}
