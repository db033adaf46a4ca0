import Sightings
import Support

/// The places of the columns of a table, and the units that they have.
package struct TableHeader {
  /// The columns of a kind of table.
  package struct Columns {
    /// Columns that there must be.
    var required: [String]
    /// Columns that there may be.
    var optional: [String] = []
    /// Columns that the package writes, and that are passed over.
    var passedOver: [String] = []
    /// The text of a required column where the table has none.
    var defaults: [String: String] = [:]
    /// A Boolean value that is true if other columns are refused, not passed over.
    var isStrict = false

    package init(
      required: [String], optional: [String] = [], passedOver: [String] = [],
      defaults: [String: String] = [:]
    ) {
      (self.required, self.optional) = (required, optional)
      (self.passedOver, self.defaults) = (passedOver, defaults)
    }

    var known: [String] { required + optional }
  }

  private var places: [String: Int] = [:]
  private(set) var layout = TableLayout()
  /// The lines before the first row.
  let linesBefore: Int
  /// The map that reads the table in this way; nil if its own header does.
  private(set) var inferred: ColumnMap?
  /// The columns that are not read.
  private(set) var ignored: [String] = []

  /// Finds the columns of a table.
  ///
  /// Columns of the map come first, then those with the names of this package, then those that
  /// other programs call otherwise, if only one column is called so.
  ///
  /// - Parameters:
  ///   - sample: the first lines of the table.
  ///   - map: the columns that a user named; names of other kinds of tables are passed over.
  ///   - columns: the columns of the kind of table that the first line shows.
  ///   - path: the file, for messages.
  /// - Throws: one `RSSIError` that names every missing and ambiguous column.
  init(
    _ sample: TableSample, _ columns: Columns, _ map: ColumnMap, path: String
  ) throws(RSSIError) {
    let names = sample.header ?? []
    if let cause = Self.otherTable(names, columns.required) {
      throw .badTable(path: path, problem: cause)
    }
    layout.separator = sample.separator
    layout.point = sample.point
    layout.width = sample.header?.count ?? sample.rows.first?.count ?? 0
    layout.units = Array(repeating: nil, count: layout.width)
    layout.timeZone = map.timeZone
    linesBefore = sample.skippedLines + (sample.header == nil ? 0 : 1)

    var search = ColumnSearch(sample, columns, map)
    try search.run(path)
    places = search.places
    for (index, unit) in search.units { layout.units[index] = unit }
    if layout.units.allSatisfy({ $0 == nil }) { layout.units = [] }
    for (name, text) in search.constants {
      places[name] = layout.width + layout.constants.count
      layout.constants.append(Array(text.utf8))
    }
    inferred = search.inferred
    ignored = search.ignored
  }

  subscript(name: String) -> Int? { places[name] }

  var width: Int { layout.width }

  /// Sentences for a person about what was inferred, and about columns that are not read.
  var sentences: [String] {
    var sentences: [String] = []
    if let inferred {
      let zone = inferred.timeZone.map { " and `timeZone` \($0.name)" } ?? ""
      sentences.append("read with `columns` \(inferred)\(zone)")
    }
    if !ignored.isEmpty {
      let names = ignored.prefix(12).map { "\"\($0)\"" }.joined(separator: ", ")
      let more = ignored.count > 12 ? " and \(ignored.count - 12) more" : ""
      sentences.append("not read: \(ignored.count == 1 ? "column" : "columns") \(names)\(more)")
    }
    return sentences
  }

  /// A table of another kind, of which the columns are.
  private static func otherTable(_ names: [String], _ required: [String]) -> String? {
    let kinds: [(columns: [String], cause: String)] = [
      (["node", "role"], "this is a table of nodes: use `nodes`"),
      (["node", "time_s", "x_m", "y_m"], "this is a table of true positions: use `truth`"),
      (["time_s", "true_rssi_dbm"], "this is a table of true levels: use `truth`"),
    ]
    return kinds.first {
      Set($0.columns).isSubset(of: names) && !Set($0.columns).isSubset(of: required)
        && !Set(required).isSubset(of: names)
    }?.cause
  }
}

/// The search for the columns of a table.
private struct ColumnSearch {
  private let sample: TableSample
  private let columns: TableHeader.Columns
  private let map: ColumnMap
  private let names: [String]

  private(set) var places: [String: Int] = [:]
  private(set) var units: [Int: ColumnUnit] = [:]
  private(set) var constants: [(name: String, text: String)] = []
  private(set) var ignored: [String] = []
  private var found: [ColumnMap.Entry] = []
  private var hasInferred = false
  private var problems: [String] = []
  /// Missing columns for which there is a more specific problem.
  private var unclear: Set<String> = []

  init(_ sample: TableSample, _ columns: TableHeader.Columns, _ map: ColumnMap) {
    (self.sample, self.columns, self.map) = (sample, columns, map)
    names = sample.header ?? []
  }

  var inferred: ColumnMap? { hasInferred ? ColumnMap(ordered, timeZone: map.timeZone) : nil }

  /// The columns that were found, in the order of the kind of table.
  private var ordered: [ColumnMap.Entry] {
    columns.known.compactMap { name in found.first { $0.name == name } }
  }

  mutating func run(_ path: String) throws(RSSIError) {
    for entry in map.entries where columns.known.contains(entry.name) { take(entry) }
    for name in columns.known where !isFound(name) { takeOwn(name) }
    if sample.header != nil {
      for name in columns.known where !isFound(name) { infer(name) }
    }
    let open = columns.required.filter { !isFound($0) && columns.defaults[$0] == nil }
    problems += open.filter { !unclear.contains($0) }.map { "column \"\($0)\" is missing" }
    for name in columns.required where !isFound(name) {
      guard let text = columns.defaults[name], open.isEmpty || sample.header != nil else {
        continue
      }
      hasInferred = true
      take(ColumnMap.Entry(name, .constant(text)))
    }
    let used = Set(places.values)
    ignored = names.indices.filter { !used.contains($0) && !names[$0].isEmpty }
      .map { names[$0] }.filter { !columns.passedOver.contains($0) }
    if columns.isStrict {
      problems += ignored.map { name in
        let hint = ColumnHint.words(name, among: columns.known).map { " (\($0))" } ?? ""
        return "unknown column \"\(name)\"\(hint)"
      }
    }
    guard problems.isEmpty else { throw refusal(path) }
  }

  private func isFound(_ name: String) -> Bool { found.contains { $0.name == name } }

  /// Takes an entry of the map.
  private mutating func take(_ entry: ColumnMap.Entry) {
    let width = sample.header?.count ?? sample.rows.first?.count ?? 0
    switch entry.origin {
    case .constant(let text):
      constants.append((entry.name, text))
      found.append(entry)
      return
    case .number(let number):
      guard number <= width else {
        return problems.append("\(entry.name)=#\(number): the table has \(width) columns")
      }
      place(entry, number - 1)
    case .header(let name):
      let matches = names.indices.filter { names[$0] == name }
      guard matches.count == 1 else {
        let near = didYouMean(name, among: names)
        return problems.append(
          matches.isEmpty
            ? "\(entry.name)=\(name): no column \"\(name)\"\(near)"
            : "\(entry.name)=\(name): \(matches.count) columns are called \"\(name)\"; use #\(matches[0] + 1)"
        )
      }
      place(entry, matches[0])
    }
  }

  private mutating func place(_ entry: ColumnMap.Entry, _ index: Int) {
    places[entry.name] = index
    found.append(entry)
    if let unit = entry.unit { units[index] = unit }
  }

  /// Takes the column that has a name of this package.
  private mutating func takeOwn(_ name: String) {
    let matches = names.indices.filter { names[$0] == name }
    if matches.count > 1 { return problems.append("column \"\(name)\" is there twice") }
    guard let index = matches.first else { return }
    var entry = ColumnMap.Entry(name, .header(name))
    if name == "time_s", sample.hasDates(index) {
      do throws(RSSIError) {
        entry.unit = try timeUnit(index)
      } catch {
        unclear.insert(name)
        return problems.append(error.problem)
      }
      hasInferred = true
    }
    place(entry, index)
  }

  /// Takes the one column that other programs call otherwise.
  private mutating func infer(_ name: String) {
    let used = Set(places.values)
    let free = names.indices.filter {
      !used.contains($0) && !columns.passedOver.contains(names[$0])
    }
    let ranked = free.compactMap { index in
      ColumnHint.rank(names[index], as: name).map { (index: index, rank: $0) }
    }
    guard let best = ranked.map(\.rank).min() else { return }
    let matches = ranked.filter { $0.rank == best }.map(\.index)
    guard matches.count == 1 else {
      unclear.insert(name)
      let choices = matches.map { "\"\(names[$0])\"" }.joined(separator: " or ")
      return problems.append("\(name) may be \(choices)")
    }
    let index = matches[0]
    var entry = ColumnMap.Entry(name, .header(names[index]))
    do throws(RSSIError) {
      entry.unit = try unit(of: name, index)
    } catch {
      unclear.insert(name)
      return problems.append(error.problem)
    }
    hasInferred = true
    place(entry, index)
  }

  /// The unit of a column of another program, by its name and its values; nil = that of the name in
  /// this package.
  private func unit(of name: String, _ index: Int) throws(RSSIError) -> ColumnUnit? {
    let written = ColumnHint.unit(of: names[index])
    if name == "time_s" {
      if let written, let unit = ColumnUnit(written), unit.isTime {
        return unit == .seconds(power: 0) ? nil : unit
      }
      return try timeUnit(index)
    }
    guard name.hasSuffix("_m"), let written, written != "m" else { return nil }
    guard let unit = ColumnUnit(written), !unit.isTime else {
      throw RSSIError(.badInput, "\"\(names[index])\" is not in metres")
    }
    return unit
  }

  /// Returns the unit of times, chosen by the magnitude of the median; nil below 1e11.
  private func timeUnit(_ index: Int) throws(RSSIError) -> ColumnUnit? {
    let values = sample.values(index)
    if values.allSatisfy(sample.isNumber) {
      let numbers = values.compactMap {
        DecimalNumber.double(Array($0.utf8).span, point: sample.point)
      }
      switch numbers.map(abs).sorted()[safe: numbers.count / 2] ?? 0 {
      case ..<1e11: return nil
      case ..<1e14: return .seconds(power: -3)
      case ..<1e17: return .seconds(power: -6)
      default: return .seconds(power: -9)
      }
    }
    let dates = values.compactMap { Timestamp.local(iso8601: Array($0.utf8).span) }
    guard dates.count == values.count else {
      throw RSSIError(
        .badInput,
        "the times of \"\(names[index])\", such as \"\(values.first ?? "")\", need a format: "
          + "time_s=\(ColumnMap.Origin.header(names[index])):'%d/%m/%Y %H:%M:%S' or another")
    }
    guard map.timeZone != nil || dates.allSatisfy({ $0.offset != nil }) else {
      throw RSSIError(
        .badInput,
        "the times of \"\(names[index])\", such as \"\(values.first ?? "")\", have no zone: give "
          + "`timeZone`, such as Europe/Berlin or UTC")
    }
    return .iso
  }

  /// One error with all problems, and the map in which only what was not found is left open.
  private func refusal(_ path: String) -> RSSIError {
    let entries = columns.known.compactMap { name -> String? in
      if let entry = found.first(where: { $0.name == name }) { return "\(entry)" }
      return columns.required.contains(name) ? "\(name)=…" : nil
    }
    let free = columns.known.filter { !isFound($0) && !unclear.contains($0) }
    let unknown = (columns.isStrict ? [] : ignored).compactMap { name in
      ColumnHint.words(name, among: free).map { "unknown column \"\(name)\" (\($0))" }
    }
    let seen =
      sample.header.map { "its columns are \($0.map { "\"\($0)\"" }.joined(separator: ", "))" }
      ?? "it has no header; its first row is \(sample.rows.first?.joined(separator: ", ") ?? "")"
    return .badTable(
      path: path,
      problem: (problems + unknown).joined(separator: "; ") + "; "
        + String(seen.prefix(400)),
      advice: "give `columns` \(entries.joined(separator: ",")), with a column for each …: a "
        + "header, or a number such as #1")
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
