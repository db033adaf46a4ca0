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
    /// The columns that each hold the levels of one beacon.
    var levels: [Int] = []
    /// The kind of the table.
    var kind = ColumnMap.Kind.sightings
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
  /// The map that reads the table in this way; nil if its own header does.
  var inferred: ColumnMap?
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
    let expected =
      switch columns.kind {
      case .sightings: KnownFile.sightings.name
      case .nodes: KnownFile.nodes.name
      case .truth: (KnownFile(columns: columns.required) ?? .truth).name
      }
    if let other = Self.otherTable(names, columns) {
      throw other.misplaced(path, for: expected)
    }
    layout.separator = sample.files[0].separator
    layout.point = sample.point
    layout.width = sample.width
    layout.units = Array(repeating: nil, count: layout.width)
    layout.timeZone = map.timeZone
    layout.files = sample.files
    layout.isPadded = sample.isPadded

    var search = ColumnSearch(sample, columns, map)
    do throws(RSSIError) {
      try search.run(path)
    } catch {
      guard let other = KnownFile(path: path), other.columns.isEmpty else { throw error }
      throw other.misplaced(path, for: expected)
    }
    places = search.places
    layout.timeOfDay = search.timeOfDay
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
    if let inferred { sentences.append("read with \(inferred.options)") }
    if !ignored.isEmpty {
      let names = ignored.prefix(12).map { "\"\($0)\"" }.joined(separator: ", ")
      let more = ignored.count > 12 ? " and \(ignored.count - 12) more" : ""
      sentences.append("not read: \(ignored.count == 1 ? "column" : "columns") \(names)\(more)")
    }
    return sentences
  }

  /// Returns the kind of table that has these columns, if it is not the one that is read.
  private static func otherTable(_ names: [String], _ columns: Columns) -> KnownFile? {
    guard let kind = KnownFile(columns: names), !kind.columns.isEmpty,
      !Set(kind.columns).isSubset(of: columns.known),
      !Set(columns.required).isSubset(of: names)
    else { return nil }
    // Levels under another name than expected are for the search to explain.
    switch kind {
    case .sightings where columns.required.contains { $0.hasSuffix("rssi_dbm") }: return nil
    case .readings where columns.required.contains("rssi_dbm"): return nil
    default: return kind
    }
  }
}
