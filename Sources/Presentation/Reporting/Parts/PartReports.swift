package import Support
package import TracePipelines

/// What is reported where a part of some files was written.
package struct WrittenPartReport {
  private let part: WrittenPart

  package init(_ part: WrittenPart) { self.part = part }

  package var json: JSONValue {
    .object([
      "file": .string(part.path), "files": .integer(part.files),
      "files_in_all": .integer(part.allFiles),
    ])
  }

  package var text: String {
    "\(part.path.printable): \(part.files) of \(counted(part.allFiles, "file"))\n"
  }
}

/// What is reported where a part of an evaluation was written.
package struct EvaluationPartReport {
  private let part: EvaluationPart
  private let path: String

  package init(_ part: EvaluationPart, path: String) { (self.part, self.path) = (part, path) }

  package var json: JSONValue {
    .object([
      "file": .string(path), "folds": .integer(part.answeredFolds.count),
      "folds_in_all": .integer(part.answeredFolds.total),
      "questions": .integer(part.answeredQuestions),
    ])
  }

  package var text: String {
    "\(path.printable): \(part.answeredFolds.count) of "
      + "\(counted(part.answeredFolds.total, "fold")), "
      + "\(counted(part.answeredQuestions, "question"))\n"
  }
}
