import Support

/// The first objects of a file of JSON, from which its form and the meaning of its keys are
/// inferred.
struct JSONSample {
  /// The arrangement of the objects.
  enum Form {
    /// One object per line.
    case lines
    /// Objects one after another or in arrays, or within the array to which keys lead.
    case objects(within: [[UInt8]])
  }

  private(set) var form = Form.lines
  /// The name of the array that has the objects; nil if they are not within another.
  private(set) var arrayName: String?
  /// The keys as a header, and the values as rows.
  func table(of path: String) -> TableSample {
    TableSample(
      keys: keys,
      values: rows.map { row in
        var values = Array(repeating: "", count: keys.count)
        for (key, value) in row { values[key] = value }
        return values
      }, path: path)
  }

  private var keys: [String] = []
  private var numbers: [String: Int] = [:]
  private var rows: [[(key: Int, value: String)]] = []
  /// The types of values of keys.
  private var types = ObjectKeys.Types()
  /// The first text that is not an object, with the number of its line.
  private var firstProblem = ""

  private static let length = 1 << 16
  private static let mostRows = 200
  private static let mostKeys = 10_000

  /// The keys of this package that the standard input may have; one without `trace` is one trace.
  private static let ownKeys = [
    "time_s", "beacon", "receiver", "rssi_dbm", "channel", "frequency_mhz", "pose",
  ]

  /// Reads the first objects of a file, or more until each key of the map has occurred.
  ///
  /// Nothing is read of the standard input, whose objects have the keys of the map and of this
  /// package.
  ///
  /// - Throws: `RSSIError` for a file that cannot be read or has no object with a level.
  init(path: String, _ map: ColumnMap) throws {
    let wanted = map.entries.compactMap { entry in
      if case .header(let name) = entry.origin { name } else { nil }
    }
    if let entry = map.entries.first(where: { if case .number = $0.origin { true } else { false } })
    {
      throw RSSIError(
        .usage, "`columns` \(entry): the values of JSON have keys, not numbers", in: path,
        advice: "write \(entry.name)=KEY")
    }
    guard path != "-" else {
      for key in wanted + Self.ownKeys.filter({ map[$0] == nil }) { _ = number(of: key) }
      return
    }
    if !(try readLines(path, wanted)) {
      form = .objects(within: [])
      do {
        var objects = try JSONObjects(path: path)
        _ = try read(&objects, wanted)
      } catch {
        // A cut object may be around whole ones.
        guard rows.isEmpty, try !JSONObjects.places(in: path).isEmpty else { throw error }
      }
    }
    // A single object may be around those with the levels.
    if !isOwn, rows.count <= 1 || !hasLevels(keys, map) { try findArray(path, map, wanted) }
    guard !rows.isEmpty else {
      throw RSSIError.badTable(
        path: path,
        problem: "it has no object" + (firstProblem.isEmpty ? "" : " (\(firstProblem))"),
        advice: "write one object per sighting, with a time, a beacon and a level")
    }
    if !hasLevels(keys, map) { try requireRows(path) }
  }

  /// A Boolean value that is true for lines that stages pass to each other.
  var isStream: Bool {
    if case .lines = form { isOwn } else { false }
  }

  /// A Boolean value that is true if the objects have the keys of this package.
  var isOwn: Bool {
    let names = Set(keys)
    return ["time_s", "beacon", "receiver"].allSatisfy(names.contains)
      && (names.contains("rssi_dbm") || !hasLevels(keys, ColumnMap()))
      && types.texts.isDisjoint(
        with: ["time_s", "rssi_dbm", "channel", "frequency_mhz", "distance_m", "true_distance_m"])
  }

  /// Reads lines; returns false if less than half of them are objects, as in an object over several
  /// lines.
  private mutating func readLines(_ path: String, _ wanted: [String]) throws -> Bool {
    var lines = try Lines(path: path)
    var sample = self
    let (objects, others, isArray) = try sample.read(&lines, wanted)
    guard objects > 0, objects >= others, !isArray else { return false }
    self = sample
    return true
  }

  /// Reads objects until there are enough.
  private mutating func read<Source: ObjectSource & ~Copyable>(
    _ source: inout Source, _ wanted: [String]
  ) throws -> (objects: Int, others: Int, isArray: Bool) {
    let document = JSONDocument()
    var (objects, others, length) = (0, 0, 0)
    var isArray: Bool?
    var missing = Set(wanted).subtracting(keys)
    while objects < Self.mostRows && length < Self.length || !missing.isEmpty && objects > 0 {
      let found = try source.next { bytes -> Bool? in
        guard let bytes else { return false }
        let first = bytes.indices.first { bytes[$0] > 0x20 }
        guard let first else { return nil }
        if isArray == nil { isArray = bytes[first] == UInt8(ascii: "[") }
        length += bytes.count
        return document.parse(bytes) && document.root.kind == .object
      }
      guard let found else { break }
      guard let isObject = found else { continue }
      if isObject {
        let fields = ObjectKeys.fields(of: document, &types)
        for (name, _) in fields { missing.remove(name) }
        if objects < Self.mostRows {
          rows.append(
            fields.compactMap { field in number(of: field.name).map { ($0, field.value) } })
        } else {
          for name in wanted where fields.contains(where: { $0.name == name }) {
            _ = number(of: name)
          }
        }
        objects += 1
      } else {
        if others == 0 { firstProblem = "line \(source.number): \(RowProblem.badJSON.rawValue)" }
        others += 1
        length += 1
      }
    }
    return (objects, others, isArray ?? false)
  }

  /// Returns the number of a key; nil for one more than are kept.
  private mutating func number(of key: String) -> Int? {
    if let known = numbers[key] { return known }
    guard keys.count < Self.mostKeys else { return nil }
    keys.append(key)
    numbers[key] = keys.count - 1
    return keys.count - 1
  }

  private func hasLevels(
    _ names: [String], _ map: ColumnMap, _ types: ObjectKeys.Types? = nil
  ) -> Bool {
    if case .header(let name) = map["rssi_dbm"]?.origin { return names.contains(name) }
    let containers = (types ?? self.types).containers
    return names.contains {
      !containers.contains($0) && ColumnHint.rank($0, as: "rssi_dbm") != nil
    }
  }

  /// Refuses an object that has all levels in one value.
  private func requireRows(_ path: String) throws(RSSIError) {
    let columns = types.containers.union(
      keys.filter { $0.hasSuffix(".0") }.map { String($0.dropLast(2)) })
    guard let column = columns.first(where: { ColumnHint.rank($0, as: "rssi_dbm") != nil }) else {
      return
    }
    throw .badTable(
      path: path, problem: "\"\(column)\" has many values, expected one object per sighting",
      advice: "write one object per sighting, as DataFrame.to_json(orient=\"records\") does")
  }

  /// Finds the one array of objects with levels within an object.
  ///
  /// - Throws: `RSSIError` that lists the arrays, unless exactly one has levels.
  private mutating func findArray(
    _ path: String, _ map: ColumnMap, _ wanted: [String]
  ) throws {
    let places = try JSONObjects.places(in: path)
    guard !places.isEmpty else { return }
    let document = JSONDocument()
    var types = ObjectKeys.Types()
    let found = places.map { place in
      let isWhole = document.parse(place.first.span)
      return isWhole ? ObjectKeys.fields(of: document, &types).map(\.name) : []
    }
    let levels = places.indices.filter { hasLevels(found[$0], map, types) }
    if levels.isEmpty, hasLevels(keys, map) { return }
    guard levels.count == 1 else {
      let listed = places.indices.prefix(8).map { index in
        "\"\(places[index].name)\" (\(found[index].prefix(8).joined(separator: ", ")))"
      }
      throw RSSIError.badTable(
        path: path,
        problem: (levels.isEmpty
          ? "no array of objects with a level" : "several arrays with levels")
          + ": it has \(listed.joined(separator: ", "))",
        advice:
          "write the objects of one array to a file: `jq -c '.\(places[levels.first ?? 0].name)[]' "
          + "\(path) > levels.ndjson`")
    }
    self = JSONSample(in: places[levels[0]])
    var objects = try JSONObjects(path: path, within: places[levels[0]].keys)
    _ = try read(&objects, wanted)
  }

  private init(in place: JSONObjects.Place) {
    (form, arrayName) = (.objects(within: place.keys), place.name)
  }
}
