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
