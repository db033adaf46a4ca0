package import Support
package import TracePipelines

/// The recipes of a folder.
package struct RecipeList {
  private let recipes: [BenchmarkRecipe]

  package init(_ recipes: [BenchmarkRecipe]) { self.recipes = recipes }

  package var text: TextReport {
    var report = TextReport()
    report.add(
      table: ReportTable(
        of: recipes,
        [
          .text("set") { .name($0.name) },
          .text("recordings", least: 30) { .text($0.title) },
          .text("licence", rank: 1, least: 8) { .text($0.licence) },
          .text("files", rank: 2) { .text($0.isVerified ? "verified" : "unverified") },
          .text("download", rank: 1) { .text($0.isPublished ? "yes" : "no") },
        ]))
    return report
  }

  package var json: JSONValue {
    [
      "recipes": recipes.map { recipe -> JSONValue in
        [
          "name": recipe.name, "title": recipe.title, "question": recipe.question,
          "source": recipe.source, "licence": recipe.licence, "verified": recipe.isVerified,
          "published": recipe.isPublished,
          "files": recipe.files.map { file -> JSONValue in
            ["name": file.name, "url": file.url, "sha256": file.sha256]
          },
        ]
      }
    ]
  }
}

/// The files of a download.
package struct FetchedFiles {
  private let files: [FetchedFile]

  package init(_ files: [FetchedFile]) { self.files = files }

  package var text: String {
    files.map { file in
      let digest = file.outcome == .unverified ? ", SHA-256 \(file.sha256)" : ""
      return "\(file.path): \(file.outcome.rawValue)\(digest)\n"
    }.joined()
  }

  package var json: JSONValue {
    [
      "files": files.map { file -> JSONValue in
        ["path": file.path, "outcome": file.outcome.rawValue, "sha256": file.sha256]
      }
    ]
  }
}
