public import Support

extension RegistryDocument {
  /// Reads a JSON list: a document of this program, any object with a list `beacons`, or a bare
  /// list.
  ///
  /// Unknown fields become notes. Memory: 48 bytes per JSON value in addition to the text.
  ///
  /// - Parameters:
  ///   - text: The UTF-8 text.
  ///   - name: The source, for messages.
  /// - Throws: `RSSIError` if it is not a list; an invalid entry is recorded in the document.
  public init(json text: [UInt8], name: String) throws(RSSIError) {
    self.init()
    func bad(_ words: String) -> RSSIError { RSSIError(.badInput, "\(name) \(words)") }
    guard text.count <= RegistryLimits.bytes else {
      throw bad(
        "has more than \(RegistryLimits.bytes >> 20) MiB, too many for a registry: check that it "
          + "is the right file"
      )
    }
    let document = JSONDocument(maximumValues: RegistryLimits.values)
    guard document.parse(text.withoutByteOrderMark.span) else {
      throw bad("is not a complete JSON document: check that it is a list of beacons")
    }
    var list = document.root
    if list.kind == .object {
      if let format = list["format"], list["beacons"] == nil || format.string != "rssi-registry" {
        throw bad(
          "has the format \(quoted(format.string ?? "")), not rssi-registry")
      }
      if list["format"] != nil, list["format_version"]?.number != 1 {
        throw bad("is a registry of a newer format; this rssi reads format 1: update rssi")
      }
      if let token = list["nextPageToken"]?.text, !token.isEmpty {
        throw bad(
          "is one page of several (nextPageToken): give an address that returns the whole list")
      }
      source = list["source"].flatMap(RegistrySource.init)
      guard let beacons = list["beacons"] else { throw bad("has no list \"beacons\"") }
      list = beacons
    }
    guard list.kind == .array else { throw bad("has no list of beacons") }
    var number = 0
    for entry in list.children {
      number += 1
      guard number <= RegistryLimits.beacons else {
        throw bad(
          "has more than \(RegistryLimits.beacons) beacons: check that it is the right file")
      }
      guard entry.kind == .object else {
        refuse(EntryProblem("expected an object"), at: "entry \(number)")
        continue
      }
      var fields = EntryFields()
      fields.add(membersOf: entry, under: "")
      take(fields, at: "entry \(number)")
    }
  }
}

extension EntryFields {
  /// Adds the members of an object, with those of nested objects and lists by their paths.
  fileprivate mutating func add(membersOf value: JSONElement, under path: String) {
    var index = 0
    for member in value.children {
      let name = value.kind == .array ? String(index) : String(decoding: member.name, as: UTF8.self)
      index += 1
      switch member.kind {
      case .object, .array: add(membersOf: member, under: path + name + ".")
      case .string, .number: add(path + name, member.string ?? "")
      case .true: add(path + name, "true")
      case .false: add(path + name, "false")
      case .null: break
      }
    }
  }
}

extension JSONElement {
  /// The text of a string or of a number; `nil` for anything else.
  fileprivate var string: String? {
    kind == .string || kind == .number
      ? String(decoding: document.bytes[document.nodes[index].text], as: UTF8.self) : nil
  }
}

extension RegistrySource {
  /// Returns `nil` if it is incomplete; then the next fetch requests everything.
  fileprivate init?(_ value: JSONElement) {
    func plain(_ name: StaticString) -> String? {
      guard let text = value[name]?.text, text.allSatisfy({ (0x20...0x7E).contains($0) }),
        text.count <= RegistryLimits.textBytes
      else { return nil }
      return String(decoding: text, as: UTF8.self)
    }
    guard let url = plain("url"), let fetched = plain("fetched"), let sha256 = plain("sha256")
    else {
      return nil
    }
    self.init(url: url, fetched: fetched, sha256: sha256)
    etag = plain("etag")
    lastModified = plain("last_modified")
  }
}
