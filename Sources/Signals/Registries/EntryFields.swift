/// The fields of one entry, as a list in any spelling gives them.
///
/// Names are compared without case, underscores and dashes, so that `proximityUUID` and
/// `proximity_uuid` are one. Fields of nested objects have their path as a name, `latLng.latitude`.
struct EntryFields {
  private var fields: [(name: String, key: String, text: String)] = []
  private var taken: [Bool] = []

  /// Adds a field; an empty one is as one that is not there.
  mutating func add(_ name: String, _ text: String) {
    guard !text.isEmpty else { return }
    fields.append((name, Self.key(name), text))
    taken.append(false)
  }

  /// The name of a field that is there twice; nil = none is.
  var repeated: String? {
    var seen: Set<String> = []
    return fields.first { !seen.insert($0.name).inserted }?.name
  }

  /// The field of the first of some names that is there; it is then no note.
  mutating func take(_ names: [String]) -> (name: String, text: String)? {
    for name in names {
      if let place = fields.indices.first(where: { !taken[$0] && fields[$0].key == name }) {
        taken[place] = true
        return (fields[place].name, fields[place].text)
      }
    }
    return nil
  }

  /// The text of a field, which stays where it is.
  func text(_ names: [String]) -> String? {
    for name in names {
      if let field = fields.first(where: { $0.key == name }) { return field.text }
    }
    return nil
  }

  /// What nothing was made of, by its name.
  var rest: [(name: String, text: String)] {
    fields.indices.filter { !taken[$0] }.map { place in
      let field = fields[place]
      let isNote = field.name.hasPrefix("notes.") && field.name.utf8.count > 6
      return (isNote ? String(field.name.dropFirst(6)) : field.name, field.text)
    }
  }

  private static func key(_ name: String) -> String {
    String(
      decoding: name.utf8.compactMap { byte -> UInt8? in
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: " "): nil
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
        default: byte
        }
      }, as: UTF8.self)
  }
}
