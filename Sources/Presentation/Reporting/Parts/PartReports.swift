package import Support
package import TracePipelines

/// The report on a part of some files.
package struct WrittenShardReport {
  private let part: WrittenShard

  package init(_ part: WrittenShard) { self.part = part }

  package var json: JSONValue {
    ["file": part.path, "files": part.files, "files_in_all": part.allFiles]
  }

  package var text: String {
    "\(part.path.printable): \(part.files) of \(counted(part.allFiles, "file"))\n"
  }
}

/// The report on a part of an evaluation.
package struct EvaluationShardReport {
  private let part: EvaluationShard
  private let path: String

  package init(_ part: EvaluationShard, path: String) { (self.part, self.path) = (part, path) }

  package var json: JSONValue {
    [
      "file": path, "folds": part.answeredFolds.count, "folds_in_all": part.answeredFolds.total,
      "questions": part.answeredQuestions,
    ]
  }

  package var text: String {
    "\(path.printable): \(part.answeredFolds.count) of "
      + "\(counted(part.answeredFolds.total, "fold")), "
      + "\(counted(part.answeredQuestions, "question"))\n"
  }
}
