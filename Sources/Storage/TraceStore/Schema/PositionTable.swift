internal import CHDF5
import Support

/// The table `/positions/NAME`: the answers of one algorithm, with the probabilities of floors as a
/// column of two dimensions, rows and floors, if any answer has them.
struct PositionTable {
  private let rows: RowTable<StoredPosition>
  private let path: String

  init(_ name: String, in file: TraceFile) throws(RSSIError) {
    rows = try RowTable(.positions(name), in: file)
    path = file.path
  }

  var group: Handle { rows.table.group }

  /// Writes all rows of a new table.
  func write(_ positions: [StoredPosition]) throws(RSSIError) {
    try rows.append(positions)
    let floors = positions.lazy.map(\.floorProbabilities.count).max() ?? 0
    guard floors > 0 else { return }
    var values: [Float] = []
    for position in positions {
      values += position.floorProbabilities
      values += repeatElement(.nan, count: floors - position.floorProbabilities.count)
    }
    let dataset = try create(Extent(rows: positions.count, floors: floors))
    try check(
      H5Dwrite(
        dataset.id, Float.memoryType, wholeDataset, wholeDataset, hid_t(H5P_DEFAULT), values),
      "write \(Self.column) to", path)
  }

  func read() throws(RSSIError) -> [StoredPosition] {
    var positions = try rows.read()
    guard !positions.isEmpty, H5Lexists(group.id, Self.column, hid_t(H5P_DEFAULT)) > 0 else {
      return positions
    }
    let dataset = try openDataset(Self.column, in: group, path: path)
    let extent = try readableExtent(of: dataset)
    guard extent.rows == positions.count else { throw damaged }
    var values = [Float](repeating: .nan, count: extent.rows * extent.floors)
    try checkRead(
      H5Dread(
        dataset.id, Float.memoryType, wholeDataset, wholeDataset, hid_t(H5P_DEFAULT), &values),
      "read \(Self.column) of", path)
    for row in positions.indices {
      let own = values[row * extent.floors..<(row + 1) * extent.floors]
      if !own.allSatisfy(\.isNaN) { positions[row].floorProbabilities = Array(own) }
    }
    return positions
  }

  private static let column = "floor_probability"

  /// All rows and floors, as the argument of a call of HDF5 (`H5S_ALL`).
  private let wholeDataset = hid_t(0)

  private struct Extent {
    var rows: Int
    var floors: Int

    var dimensions: [hsize_t] { [hsize_t(rows), hsize_t(floors)] }
  }

  private func create(_ extent: Extent) throws(RSSIError) -> Handle {
    let operation = "lay out \(Self.column) in"
    let properties = Handle(
      try check(H5Pcreate(chdf5_dataset_create()), operation, path), close: H5Pclose)
    let chunk = Extent(
      rows: min(extent.rows, max(1, Storage.packed.chunk / extent.floors)), floors: extent.floors)
    try check(H5Pset_chunk(properties.id, 2, chunk.dimensions), operation, path)
    try check(H5Pset_shuffle(properties.id), operation, path)
    try check(H5Pset_deflate(properties.id, 1), operation, path)
    let space = Handle(H5Screate_simple(2, extent.dimensions, nil), close: H5Sclose)
    let dataset = Handle(
      try check(
        H5Dcreate2(
          group.id, Self.column, Float.fileType, space.id, hid_t(H5P_DEFAULT), properties.id,
          hid_t(H5P_DEFAULT)), "create \(Self.column) in", path), close: H5Dclose)
    try dataset.setAttribute("units", "1", in: path)
    try dataset.setAttribute(
      "description", "Probability of each row of /floors; NaN = not known", in: path)
    let time = try openDataset("time_s", in: group, path: path)
    try check(H5DSattach_scale(dataset.id, time.id, 0), "align \(Self.column) of", path)
    return dataset
  }

  /// Returns the extent of a dataset whose bytes are in the file, so that a crafted one cannot
  /// demand more memory than its size justifies.
  private func readableExtent(of dataset: Handle) throws(RSSIError) -> Extent {
    let space = Handle(H5Dget_space(dataset.id), close: H5Sclose)
    guard H5Sget_simple_extent_ndims(space.id) == 2 else { throw damaged }
    var dimensions: [hsize_t] = [0, 0]
    guard H5Sget_simple_extent_dims(space.id, &dimensions, nil) == 2,
      dimensions[0] <= 1 << 22, (1...UInt64(UInt16.max)).contains(dimensions[1])
    else { throw damaged }
    let layout = Handle(H5Dget_create_plist(dataset.id), close: H5Pclose)
    var chunk: [hsize_t] = [0, 0]
    // Deflate expands at most a thousandfold.
    let bytes = dimensions[0] * dimensions[1] * 4
    guard H5Pget_external_count(layout.id) == 0, H5Pget_layout(layout.id) == H5D_CHUNKED,
      H5Pget_chunk(layout.id, 2, &chunk) == 2,
      chunk.allSatisfy({ $0 <= 1 << 22 }),
      chunk[0] * chunk[1] <= UInt64(StoredRows.largestChunk / 4),
      StoredRows.filters(layout).count(where: { $0 == chdf5_deflate() }) <= 1,
      H5Dget_storage_size(dataset.id) >= bytes / 1100
    else { throw damaged }
    return Extent(rows: Int(dimensions[0]), floors: Int(dimensions[1]))
  }

  private var damaged: RSSIError {
    RSSIError(
      .badInput,
      "\(Self.column) of /\(rows.table.name) does not have a row of numbers for each position: the "
        + "file is damaged", in: path)
  }
}
