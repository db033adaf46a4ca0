internal import CHDF5
internal import Sightings
import Support

/// A group whose datasets are the columns of one table.
///
/// The same calls create it in a new file and open it in an existing one.
final class Table {
  enum Mode {
    case create(Storage)
    case open(RowTrust)

    var isOpen: Bool { if case .open = self { true } else { false } }
  }

  /// The path of the group from the root, such as `truth/positions`.
  let name: String
  let group: Handle
  /// The rows to read; none for a new table.
  let rows: TableRows
  let clock: Clock
  private let mode: Mode
  private let isLong: Bool
  private let path: String
  private var datasets: [(name: String, handle: Handle)] = []
  private var count: () -> Int = { 0 }

  /// - Parameters:
  ///   - name: The path of the group from the root, such as `truth/positions`.
  ///   - isLong: A Boolean value that is true for a table with a row per sighting or per payload.
  ///   - limit: The largest number of rows in a file, which bounds the memory to read whole tables.
  init(
    _ name: String, in file: TraceFile, isLong: Bool = false, limit: Int = 1 << 22
  ) throws(RSSIError) {
    self.name = name
    self.isLong = isLong
    (mode, clock, path) = (file.mode, file.clock, file.path)
    if case .open(let trust) = mode {
      rows = TableRows(table: name, trust: trust, limit: limit, path: path)
    } else {
      rows = TableRows(table: name, trust: .committed([:]), limit: limit, path: path)
    }
    switch mode {
    case .create:
      let properties = Handle(H5Pcreate(chdf5_link_create()), close: H5Pclose)
      try check(H5Pset_create_intermediate_group(properties.id, 1), "create \(name) in", path)
      group = Handle(
        try check(
          H5Gcreate2(file.handle.id, name, properties.id, hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT)),
          "create \(name) in", path), close: H5Gclose)
    case .open:
      group = Handle(
        try checkRead(H5Gopen2(file.handle.id, name, hid_t(H5P_DEFAULT)), "open \(name) of", path),
        close: H5Gclose)
    }
  }

  /// The number of written rows of a new table.
  var written: Int { count() }

  /// Creates or opens a column of numbers.
  ///
  /// - Parameter missing: The value of rows without one: HDF5 reads it for unwritten rows and, as
  ///   `_FillValue`, xarray masks it if it is a code. `nil` if every row has a value.
  func column<Element: Scalar>(
    _ name: String, _: Element.Type, units: String, missing: Element? = nil,
    _ description: String
  ) throws(RSSIError) -> Column<Element> {
    guard case .create(let storage) = mode else {
      return try Column.open(name, in: self, missing: missing, path: path)
    }
    let layout = ColumnLayout(
      rows: isLong ? storage.chunk : storage.smallChunk, storage: storage, units: units,
      description: description)
    let column = try Column<Element>.create(
      name, in: self, layout: layout, missing: missing, path: path)
    if datasets.isEmpty { count = { column.count } }
    datasets.append((name, column.dataset))
    return column
  }

  /// Creates or opens a column that files of earlier programs lack; returns `nil` for such a file.
  func laterColumn<Element: Scalar>(
    _ name: String, _ type: Element.Type, units: String, missing: Element? = nil,
    _ description: String
  ) throws(RSSIError) -> Column<Element>? {
    guard !mode.isOpen || H5Lexists(group.id, name, hid_t(H5P_DEFAULT)) > 0 else { return nil }
    return try column(name, type, units: units, missing: missing, description)
  }

  /// Opens a column that exists only if a row has a value in it, or creates it with the first; returns
  /// `nil` for a file without it.
  ///
  /// A file that others read meanwhile cannot get new columns: it has them from the start if it may
  /// get such tables.
  ///
  /// - Parameter kind: The tables with which a live file has the column.
  func occasionalColumn<Element: Scalar>(
    _ name: String, of kind: OccasionalTables = .floors, units: String = "1", missing: Element,
    _ description: String
  ) throws(RSSIError) -> OccasionalColumn<Element>? {
    guard case .create(let storage) = mode else {
      return try laterColumn(
        name, Element.self, units: units, missing: missing, description
      ).map { column in OccasionalColumn(column, missing: missing) { nil } }
    }
    if case .live(_, let tables) = storage {
      let column =
        tables.contains(kind)
        ? try self.column(name, Element.self, units: units, missing: missing, description) : nil
      return column.map { OccasionalColumn($0, missing: missing) { nil } }
    }
    return OccasionalColumn(missing: missing) { () throws(RSSIError) in
      guard let scale = self.datasets.first?.handle else { return nil }
      let column = try self.column(
        name, Element.self, units: units, missing: missing, description)
      try check(
        H5DSattach_scale(column.dataset.id, scale.id, 0), "align \(name) of", self.path)
      return column
    }
  }

  /// Creates or opens a column of texts.
  ///
  /// - Parameter isOptional: A Boolean value that is true if a row may have no text.
  func text(
    _ name: String, _ limit: TextLimit, isOptional: Bool = false, _ description: String
  ) throws(RSSIError) -> TextColumn {
    guard case .create(let storage) = mode else {
      return try TextColumn.open(name, limit, in: self, isOptional: isOptional, path: path)
    }
    let layout = ColumnLayout(
      rows: max(1, storage.textChunk / limit.bytes), storage: storage, units: "text",
      description: description)
    let column = try TextColumn.create(name, limit, in: self, layout: layout, path: path)
    if datasets.isEmpty { count = { column.count } }
    datasets.append((name, column.dataset))
    return column
  }

  /// Makes the first column the dimension scale of the others, so that xarray and MATLAB align
  /// them.
  func alignToFirstColumn() throws(RSSIError) {
    guard case .create = mode, let scale = datasets.first else { return }
    try check(H5DSset_scale(scale.handle.id, scale.name), "align the columns of", path)
    for column in datasets.dropFirst() {
      try check(
        H5DSattach_scale(column.handle.id, scale.handle.id, 0), "align \(column.name) of", path)
    }
  }

  /// Makes a column of another table the dimension scale of all columns here, and links it into
  /// this group, where xarray looks for it.
  func align(to name: String, of table: String, in file: TraceFile) throws(RSSIError) {
    let scale = Handle(
      try check(
        H5Dopen2(file.handle.id, "\(table)/\(name)", hid_t(H5P_DEFAULT)), "open \(table) of", path),
      close: H5Dclose)
    for column in datasets {
      try check(
        H5DSattach_scale(column.handle.id, scale.id, 0), "align \(column.name) of", path)
    }
    try check(
      H5Lcreate_hard(
        scale.id, ".", group.id, name, hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT)),
      "link \(table) in", path)
  }
}
