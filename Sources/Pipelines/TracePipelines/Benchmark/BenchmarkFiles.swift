import Evaluation
import Glibc
import Registries
import Support
import TraceStore

/// Downloads of the published files of recipes.
public struct BenchmarkFetchRequest: Sendable {
  /// The sets to fetch.
  public var recipes: [BenchmarkRecipe]
  /// The folder that gets a folder for each set.
  public var folder: String
  /// The longest time for each file.
  public var timeout: Duration = .seconds(600)

  /// Creates a request to fetch the files of recipes into a folder.
  public init(_ recipes: [BenchmarkRecipe], to folder: String) {
    (self.recipes, self.folder) = (recipes, folder)
  }
}

/// A published file after a download.
public struct FetchedFile: Sendable {
  /// The outcome for a file.
  public enum Outcome: String, Sendable {
    /// The file was there already.
    case present
    /// The file was downloaded, and has the known digest.
    case verified
    /// The file was downloaded; its digest was not known.
    case unverified
  }

  /// The path of the file.
  public var path: String
  /// The outcome.
  public var outcome: Outcome
  /// The SHA-256 in hexadecimal digits.
  public var sha256: String
}

/// Downloads the published files of recipes; a file with another digest than the recipe's is not
/// kept.
public struct BenchmarkFetchStage: Stage {
  private let request: BenchmarkFetchRequest

  public init(_ request: BenchmarkFetchRequest) { self.request = request }

  /// Downloads the files that are missing.
  ///
  /// - Throws: `RSSIError` for a set whose files have no addresses, a server that does not answer,
  ///   a file with another digest, and a folder that cannot be written.
  public func perform(in context: StageContext) throws -> [FetchedFile] {
    var fetched: [FetchedFile] = []
    for recipe in request.recipes {
      let files = BenchmarkFiles(recipe, in: "\(request.folder)/\(recipe.name)")
      for file in recipe.files where file.text == nil {
        fetched.append(try fetch(file, of: recipe, into: files, context))
      }
    }
    return fetched
  }

  private func fetch(
    _ file: BenchmarkRecipe.File, of recipe: BenchmarkRecipe, into files: BenchmarkFiles,
    _ context: StageContext
  ) throws -> FetchedFile {
    let path = files.path(file)
    if access(path, F_OK) == 0 {
      let digest = try files.digest(of: file)
      return FetchedFile(path: path, outcome: .present, sha256: digest.sha256)
    }
    guard let url = file.url else {
      throw RSSIError(
        .unavailable, "\(recipe.name): \(file.name) is not published as a file of its own",
        advice: "make it from \(recipe.source), and give its folder with `from`")
    }
    var web = DownloadRequest(try WebAddress(url))
    (web.accepted, web.timeout) = ("*/*", request.timeout)
    (web.agent, web.maximumBytes) = ("rssi/\(context.tool.version)", BenchmarkFiles.maximumBytes)
    context.log.note("fetching \(web.address.shown)")
    guard case .content(let bytes, _, _) = try web.send() else {
      throw RSSIError(.badInput, "\(web.address.shown) answered without a file")
    }
    let digest = sha256(bytes.span)
    if let expected = file.sha256, expected != digest {
      throw RSSIError(
        .badInput, "SHA-256 \(digest), but the recipe has \(expected)", in: web.address.shown,
        advice: "the publication has changed: check it, and write a recipe of its new version")
    }
    makeFolders(of: path)
    try writeWhole(bytes, to: path)
    return FetchedFile(
      path: path, outcome: file.sha256 == nil ? .unverified : .verified, sha256: digest)
  }
}

/// The files of a recipe in a folder.
struct BenchmarkFiles {
  let recipe: BenchmarkRecipe
  let folder: String

  /// The largest size of a published file, in bytes.
  static let maximumBytes = 1 << 30

  init(_ recipe: BenchmarkRecipe, in folder: String) {
    (self.recipe, self.folder) = (recipe, folder)
  }

  func path(_ file: BenchmarkRecipe.File) -> String { "\(folder)/\(file.name)" }

  /// Returns the digest of a file.
  ///
  /// - Throws: `RSSIError` for a file that is missing, or differs from the recipe's.
  func digest(of file: BenchmarkRecipe.File) throws -> EvaluationProvenance.Input {
    let path = path(file)
    guard access(path, F_OK) == 0 else {
      throw RSSIError(
        .noInput, "\(recipe.name): there is no \(path)",
        advice: file.url == nil
          ? "make it from \(recipe.source), and give its folder with `from`"
          : "download it with `rssi benchmark fetch \(recipe.name)`")
    }
    let found = try InputDigests(of: [path]).wait()[0]
    if let expected = file.sha256, expected != found.sha256 {
      throw RSSIError(
        .badInput, "SHA-256 \(found.sha256), but the recipe has \(expected)", in: path,
        advice: "delete it and fetch it again, or use the version of the recipe")
    }
    return EvaluationProvenance.Input(
      name: file.name, sha256: found.sha256, bytes: found.bytes)
  }
}
