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
  /// Programs of others that compete.
  public var peers: [BenchmarkPeer] = []
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

/// A program of others.
public struct BenchmarkPeer: Sendable {
  /// The name that reports show.
  public var name: String
  /// The command for the shell.
  public var command: String
  /// The quantity that it estimates.
  public var quantity: BenchmarkRecipe.Quantity

  /// Creates a peer.
  public init(_ name: String, command: String, quantity: BenchmarkRecipe.Quantity = .positions) {
    (self.name, self.command, self.quantity) = (name, command, quantity)
  }
}

/// The evaluation of one set.
public final class BenchmarkedSet: Sendable {
  /// The scores of algorithms, and the answers that they are of.
  public indirect enum Evaluation: Sendable {
    case positions(EvaluationDocument)
    case distances(DistanceEvaluation)
  }

  /// The recipe of the set.
  public let recipe: BenchmarkRecipe
  /// The evaluation; the same files and programs give the same values on every machine.
  public let evaluation: Evaluation
  /// The files of the publication.
  package let inputs: [EvaluationProvenance.Input]
  /// The names of the programs of others.
  public let peers: Set<String>
  /// The computing times, which differ from run to run.
  public let times: [AnswerTime]

  /// The scores and comparisons of the algorithms.
  public var leaderboard: Leaderboard {
    switch evaluation {
    case .positions(let document): document.leaderboard
    case .distances(let distances): distances.leaderboard
    }
  }

  init(
    _ recipe: BenchmarkRecipe, _ evaluation: Evaluation, _ inputs: [EvaluationProvenance.Input],
    peers: Set<String>, times: [AnswerTime]
  ) {
    (self.recipe, self.evaluation, self.inputs) = (recipe, evaluation, inputs)
    (self.peers, self.times) = (peers, times)
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
    for recipe in request.recipes { _ = try algorithms(of: recipe) }
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
    let times = AnswerTimes()
    let peers = request.peers.filter { $0.quantity == recipe.quantity }
    let evaluation: BenchmarkedSet.Evaluation
    switch recipe.task {
    case .positions(var asked):
      asked.inputs = asked.inputs.map { "\(working.path)/\($0).h5" }
      asked.survey = asked.survey.map { "\(working.path)/\($0).h5" }
      asked.site = try asked.site.map(path)
      asked.algorithms = try algorithms(of: recipe)
      asked.programs = peers.map { ($0.name, $0.command) }
      (asked.patience, asked.times) = (request.patience, times)
      var document = try EvaluationStage(asked).run(in: context)
      document.title = recipe.title
      document.notes = document.notes.map { $0.replacing("\(working.path)/", with: "") }
      document.provenance.inputs = inputs
      evaluation = .positions(document)
    case .distances(var asked):
      asked.inputs = asked.inputs.map { "\(working.path)/\($0).h5" }
      let methods =
        try algorithms(of: recipe).map {
          try DistanceMethod($0, patience: request.patience)
        } + peers.map { .learner(try ChosenAlgorithm($0, patience: request.patience)) }
      evaluation = .distances(try asked.evaluation(by: methods, times: times, in: context))
    }
    return BenchmarkedSet(
      recipe, evaluation, inputs, peers: Set(peers.map(\.name)), times: times.all)
  }

  /// Returns the algorithms that estimate the quantity of a recipe, each once.
  private func algorithms(of recipe: BenchmarkRecipe) throws(RSSIError) -> [String] {
    let (own, defaults) =
      switch recipe.task {
      case .positions(let asked): (asked.algorithms, BenchmarkRequest.defaultAlgorithms)
      case .distances(let asked): (asked.algorithms, DistanceMethod.defaults)
      }
    let named = request.algorithms.isEmpty ? own.isEmpty ? defaults : own : request.algorithms
    var seen: Set<String> = []
    let chosen = (named + request.others).filter {
      DistanceMethod.quantities(of: $0).contains(recipe.quantity) && seen.insert($0).inserted
    }
    guard !chosen.isEmpty else {
      throw RSSIError(
        .usage, "\(recipe.name): none of \(listed(named)) estimates \(recipe.quantity.rawValue)",
        advice: "choose of \(listed(defaults, 20)), or leave the set out")
    }
    return chosen
  }
}

extension ChosenAlgorithm {
  fileprivate init(_ peer: BenchmarkPeer, patience: Duration) throws(RSSIError) {
    try self.init("exec:\(peer.command)", patience: patience, named: peer.name)
  }
}
