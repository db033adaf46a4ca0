import Sightings
import Support

/// The search for the columns of a table.
struct ColumnSearch {
  private let sample: TableSample
  private let columns: TableHeader.Columns
  private let map: ColumnMap
  private let names: [String]

  private(set) var places: [String: Int] = [:]
  private(set) var units: [Int: ColumnUnit] = [:]
  private(set) var constants: [(name: String, text: String)] = []
  /// The column of times of day that belongs to a column of dates.
  private(set) var timeOfDay: (date: Int, time: Int)?
  private(set) var ignored: [String] = []
  private var found: [ColumnMap.Entry] = []
  private var hasInferred = false
  private var problems: [String] = []
  /// Missing columns for which there is a more specific problem.
  private var unclear: Set<String> = []
  /// A Boolean value that is true if times have no zone, and none was given.
  private var lacksZone = false

  init(_ sample: TableSample, _ columns: TableHeader.Columns, _ map: ColumnMap) {
    (self.sample, self.columns, self.map) = (sample, columns, map)
    names = sample.header ?? []
  }

  var inferred: ColumnMap? {
    hasInferred ? ColumnMap(ordered, timeZone: map.timeZone, kind: columns.kind) : nil
  }

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
      if let doubt = doubt(of: name) {
        problems.append(doubt)
        unclear.insert(name)
        continue
      }
      hasInferred = true
      take(ColumnMap.Entry(name, .constant(text)))
    }
    let used = used
    ignored =
      sample.header == nil
      ? (0..<sample.width).filter { !used.contains($0) }.map { "#\($0 + 1)" }
      : names.indices.filter { !used.contains($0) && !names[$0].isEmpty }
        .map { names[$0] }.filter { !columns.passedOver.contains($0) }
    if columns.isStrict {
      problems += ignored.map { name in
        let hint = ColumnHint.words(name, among: columns.known).map { " (\($0))" } ?? ""
        return "unknown column \"\(name)\"\(hint)"
      }
    }
    guard problems.isEmpty else { throw refusal(path) }
  }

  /// Returns a problem if the rows may be of several beacons or receivers, in a column that is not
  /// known by its name: they would be merged.
  private func doubt(of name: String) -> String? {
    let used = used
    let candidates = names.indices.filter { column in
      guard !used.contains(column), !names[column].isEmpty,
        !columns.passedOver.contains(names[column])
      else { return false }
      let values = sample.values(column)
      let isOfTexts = name == "beacon" && values.allSatisfy { sample.number($0) == nil }
      return Set(values).count > 1
        && (isOfTexts || ColumnHint.mayIdentify(names[column], as: name))
    }
    guard !candidates.isEmpty else { return nil }
    let choices = candidates.map { "\"\(names[$0])\"" }.joined(separator: " or ")
    return "\(name) may be \(choices) (or \(name)='\(name)' if all rows are of one)"
  }

  /// The columns that have a meaning.
  private var used: Set<Int> {
    Set(places.values).union(columns.levels).union([timeOfDay?.time].compactMap(\.self))
  }

  private func isFound(_ name: String) -> Bool { found.contains { $0.name == name } }

  /// Takes an entry of the map.
  private mutating func take(_ entry: ColumnMap.Entry) {
    switch entry.origin {
    case .constant(let text):
      constants.append((entry.name, text))
      found.append(entry)
      return
    case .number(let number, let file):
      guard let column = sample.columns(number...number, ofFile: file)?.first else {
        return problems.append("\(entry): the table has \(sample.width) columns")
      }
      placeNamed(entry, column)
    case .header(let name):
      let matches = names.indices.filter { names[$0] == name }
      if matches.isEmpty, entry.name == "time_s", takeDateAndTime(entry, name) { return }
      guard matches.count == 1 else {
        let near = didYouMean(name, among: names)
        return problems.append(
          matches.isEmpty
            ? "\(entry.name)=\(name): no column \"\(name)\"\(near)"
            : "\(entry.name)=\(name): \(matches.count) columns are called \"\(name)\"; use #\(matches[0] + 1)"
        )
      }
      placeNamed(entry, matches[0])
    }
  }

  /// Places a column that a user named. A time whose unit was not given has that of its values.
  private mutating func placeNamed(_ entry: ColumnMap.Entry, _ index: Int) {
    var entry = entry
    // A column of numbers with a mistake is not one of dates.
    let values = sample.times(index)
    let isOfNumbers = values.allSatisfy { sample.number($0) != nil }
    if entry.name == "time_s", entry.unit == nil, isOfNumbers || sample.hasDates(index) {
      guard setTimeUnit(of: &entry, values, "\(entry.origin)") else { return }
      if entry.unit != nil { hasInferred = true }
    }
    place(entry, index)
  }

  /// Sets the unit of a time; returns false, and notes the problem, if it is open.
  private mutating func setTimeUnit(
    of entry: inout ColumnMap.Entry, _ values: [String], _ name: String
  ) -> Bool {
    do throws(RSSIError) {
      entry.unit = try timeUnit(of: values, name)
      return true
    } catch {
      unclear.insert(entry.name)
      problems.append(error.problem)
      return false
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
      guard setTimeUnit(of: &entry, sample.times(index), name) else { return }
      hasInferred = true
    }
    place(entry, index)
  }

  /// Takes the one column that other programs call otherwise.
  private mutating func infer(_ name: String) {
    let used = used
    let free = names.indices.filter {
      !used.contains($0) && !columns.passedOver.contains(names[$0])
    }
    let ranked = free.compactMap { index in
      ColumnHint.rank(names[index], as: name).map { (index: index, rank: $0) }
    }
    guard let best = ranked.map(\.rank).min() else { return }
    let matches = ranked.filter { $0.rank == best }.map(\.index)
    if name == "time_s", matches.count == 2, let (date, time) = dateAndTime(matches) {
      let entry = ColumnMap.Entry(name, .header("\(names[date])+\(names[time])"))
      hasInferred = true
      if takeDateAndTime(entry, "\(names[date])+\(names[time])") { return }
    }
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

  /// Returns a column of dates and one of times of day among two columns.
  private func dateAndTime(_ columns: [Int]) -> (date: Int, time: Int)? {
    let isTime = columns.map { column in
      sample.values(column).allSatisfy { $0.contains(":") && !$0.contains { "-/".contains($0) } }
    }
    return isTime == [false, true]
      ? (columns[0], columns[1]) : isTime == [true, false] ? (columns[1], columns[0]) : nil
  }

  /// Takes a column of dates and one of times of day, whose headers are joined by `+`.
  ///
  /// - Returns: false if there are no such columns.
  private mutating func takeDateAndTime(_ entry: ColumnMap.Entry, _ name: String) -> Bool {
    let parts = name.split(separator: "+", omittingEmptySubsequences: false).map { part in
      names.firstIndex(of: part.trimmingSpaces)
    }
    guard parts.count == 2, let date = parts[0], let time = parts[1] else { return false }
    var entry = entry
    if entry.unit == nil, !setTimeUnit(of: &entry, sample.values(date, time), name) { return true }
    place(entry, date)
    timeOfDay = (date, time)
    return true
  }

  /// The unit of a column of another program, by its name and its values; nil = that of the name in
  /// this package.
  private mutating func unit(of name: String, _ index: Int) throws(RSSIError) -> ColumnUnit? {
    let written = ColumnHint.unit(of: names[index])
    if name == "time_s" {
      if let written, let unit = ColumnUnit(written), unit.isTime {
        return unit == .seconds(power: 0) ? nil : unit
      }
      return try timeUnit(of: sample.times(index), names[index])
    }
    guard name.hasSuffix("_m"), let written, written != "m" else { return nil }
    guard let unit = ColumnUnit(written), !unit.isTime else {
      throw RSSIError(.badInput, "\"\(names[index])\" is not in metres")
    }
    return unit
  }

  /// Returns the unit of times, chosen by the magnitude of the median; nil below 1e11.
  private mutating func timeUnit(
    of values: [String], _ name: String
  ) throws(RSSIError) -> ColumnUnit? {
    let numbers = values.compactMap(sample.number).map(abs).sorted()
    let isOfDigits =
      !values.isEmpty && values.allSatisfy { $0.utf8.count == 14 }
      && DateText.formats(of: values, among: [DateText.digits]).count == 1
    if numbers.count == values.count, !isOfDigits {
      switch numbers.dropFirst(numbers.count / 2).first ?? 0 {
      case ..<1e11: return nil
      case ..<1e14: return .seconds(power: -3)
      case ..<1e17: return .seconds(power: -6)
      default: return .seconds(power: -9)
      }
    }
    let times = "the times of \"\(name)\", such as \"\(values.first ?? "")\","
    let dates = values.compactMap { Timestamp.local(iso8601: Array($0.utf8).span) }
    let isISO = dates.count == values.count && !isOfDigits
    let formats =
      isOfDigits ? [DateText.digits] : isISO ? [] : DateText.formats(of: values)
    guard isISO || formats.count == 1 else {
      let choices = (formats.isEmpty ? ["%d/%m/%Y %H:%M:%S"] : formats).map {
        "time_s=\(ColumnMap.Origin.header(name)):\(ColumnUnit.format($0))"
      }
      throw RSSIError(
        .badInput,
        formats.isEmpty
          ? "\(times) need a format: \(choices[0]) or another"
          : "\(times) may be \(choices.joined(separator: " or "))")
    }
    if map.timeZone == nil, !isISO || dates.contains(where: { $0.offset == nil }) {
      lacksZone = true
      problems.append("\(times) have no zone: give `timeZone`, such as Europe/Berlin or UTC")
    }
    return formats.isEmpty ? .iso : .format(formats[0])
  }

  /// One error with all problems, and the map in which only what was not found is left open.
  private func refusal(_ path: String) -> RSSIError {
    let entries = columns.known.compactMap { name -> String? in
      if let entry = found.first(where: { $0.name == name }) { return "\(entry)" }
      return columns.required.contains(name) || unclear.contains(name) ? "\(name)=…" : nil
    }
    let free = columns.known.filter { !isFound($0) && !unclear.contains($0) }
    let unknown = (columns.isStrict ? [] : ignored).compactMap { name in
      ColumnHint.words(name, among: free).map { "unknown column \"\(name)\" (\($0))" }
    }
    let seen =
      sample.header.map { "its columns are \($0.map { "\"\($0)\"" }.joined(separator: ", "))" }
      ?? "it has no header; its first row is \(sample.rows.first?.joined(separator: ", ") ?? "")"
    var wanted = ColumnMap(kind: columns.kind)
    if !columns.levels.isEmpty { wanted.levels = LevelColumns(columns.levels, of: sample) }
    let text = (entries.isEmpty ? "…" : entries.joined(separator: ","))
    let options = wanted.options(
      columns.kind.prefix + text, zone: lacksZone ? "Europe/Berlin" : map.timeZone?.name)
    return .badTable(
      path: path,
      problem: (problems + unknown).joined(separator: "; ") + "; "
        + String(seen.prefix(400)),
      advice: "give \(options)"
        + (text.contains("…")
          ? ", with a column for each …: a "
            + (sample.hasKeys ? "key" : "header, or a number such as #1")
          : lacksZone ? " (or the zone in which the table was written)" : ""))
  }
}
