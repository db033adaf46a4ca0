package import LivePipelines
package import Support

/// What a merge of the parts of a session reports.
package struct MergeReport {
  private let result: MergeResult

  package init(_ result: MergeResult) { self.result = result }

  package var json: JSONValue {
    .object([
      "file": .string(result.path), "sightings": .integer(result.sightings),
      "repeated": .integer(result.repeated),
      "copies": .array(result.copies.map(JSONValue.string)),
      "parts": .array(result.parts.map(json)),
    ])
  }

  private func json(_ part: MergeResult.Part) -> JSONValue {
    .object([
      "member": .string(part.member), "number": .integer(part.number),
      "file": .string(part.file), "sightings": .integer(part.sightings),
      "offset_s": .optional(part.offset.map { Double($0) / 1e9 }),
      "uncertainty_s": .optional(part.uncertainty.map { Double($0) / 1e9 }),
    ])
  }

  package var text: String {
    var text =
      "\(result.path.printable): \(result.sightings) sightings of \(result.parts.count) parts"
    if result.repeated > 0 {
      text += "; \(result.repeated) that two parts of a member have are there once"
    }
    text += "\n"
    for part in result.parts {
      text +=
        "  \(part.member.printable)\(part.number > 1 ? " (\(part.number))" : ""): "
        + "\(part.sightings) from \(part.file.printable)"
      if let offset = part.offset, let uncertainty = part.uncertainty {
        text += ", clock \(decimal(Double(offset) / 1e6, 3)) ms off, within "
        text += "\(decimal(Double(uncertainty) / 1e6, 3)) ms"
      }
      text += "\n"
    }
    return text
  }
}
