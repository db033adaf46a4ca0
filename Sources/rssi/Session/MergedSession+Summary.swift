import Screens
import Sightings
import Support
import TraceStore

extension MergedSession {
  /// What a merge tells.
  struct Summary {
    struct Part {
      var member: String
      var number: Int
      var file: String
      var sightings: Int
      /// Nanoseconds of the last measurement, and the largest bound; nil where none was made.
      var offset: Int64?
      var uncertainty: Int64?

      init(_ part: SessionPart, of reader: TraceReader, _ names: [String: String]) {
        (member, number) = (part.member, Int(part.number))
        (file, sightings) = (names[reader.path] ?? reader.path, reader.count)
        offset = reader.catalogue.offsets.last?.offset
        uncertainty = reader.catalogue.offsets.map(\.uncertainty).max()
      }
    }

    var path: String
    var sightings: Int
    /// Rows that two parts of one member have.
    var repeated: Int
    var copies: [String]
    var parts: [Part]

    var json: JSONValue {
      .object([
        "file": .string(path), "sightings": .integer(sightings), "repeated": .integer(repeated),
        "copies": .array(copies.map(JSONValue.string)),
        "parts": .array(
          parts.map { part in
            .object([
              "member": .string(part.member), "number": .integer(part.number),
              "file": .string(part.file), "sightings": .integer(part.sightings),
              "offset_s": .optional(part.offset.map { Double($0) / 1e9 }),
              "uncertainty_s": .optional(part.uncertainty.map { Double($0) / 1e9 }),
            ])
          }),
      ])
    }

    var text: String {
      var text = "\(path.printable): \(sightings) sightings of \(parts.count) parts"
      if repeated > 0 { text += "; \(repeated) that two parts of a member have are there once" }
      text += "\n"
      for part in parts {
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
}
