internal import CHDF5
import Support

/// The layout and the description of a column.
struct ColumnLayout {
  /// The number of rows in a chunk.
  var rows: Int
  var storage: Storage
  var units: String
  var description: String
}

/// - Parameter fill: A closure that sets the content of unwritten rows.
func createDataset(
  _ name: String, _ type: hid_t, in group: Handle, layout: ColumnLayout, path: String,
  fill: (Handle) -> herr_t = { _ in 0 }
) throws(RSSIError) -> Handle {
  let space = Handle(H5Screate_simple(1, [0], [chdf5_unlimited()]), close: H5Sclose)
  let properties = Handle(
    try check(H5Pcreate(chdf5_dataset_create()), "lay out \(name) in", path), close: H5Pclose)
  try check(H5Pset_chunk(properties.id, 1, [hsize_t(layout.rows)]), "lay out \(name) in", path)
  try check(fill(properties), "lay out \(name) in", path)
  let access = Handle(
    try check(H5Pcreate(chdf5_dataset_access()), "lay out \(name) in", path), close: H5Pclose)
  if layout.storage.isPacked {
    try check(H5Pset_shuffle(properties.id), "lay out \(name) in", path)
    try check(H5Pset_deflate(properties.id, 1), "lay out \(name) in", path)
  } else {
    // Without a cache, rows go straight to the file instead of rewriting their chunk at each flush.
    try check(H5Pset_chunk_cache(access.id, 0, 0, 1), "lay out \(name) in", path)
  }
  let dataset = Handle(
    try check(
      H5Dcreate2(
        group.id, name, type, space.id, hid_t(H5P_DEFAULT), properties.id, access.id),
      "create \(name) in", path), close: H5Dclose)
  try dataset.setAttribute("units", layout.units, in: path)
  try dataset.setAttribute("description", layout.description, in: path)
  return dataset
}

func openDataset(
  _ name: String, in group: Handle, path: String
) throws(RSSIError) -> Handle {
  guard H5Lexists(group.id, name, hid_t(H5P_DEFAULT)) > 0 else {
    throw RSSIError(
      .badInput, "\(path) has no \(name): it is damaged or was written by another version of rssi")
  }
  return Handle(
    try checkRead(H5Dopen2(group.id, name, hid_t(H5P_DEFAULT)), "open \(name) of", path),
    close: H5Dclose)
}

/// Reads rows of a dataset.
///
/// - Parameter buffer: A buffer with room for all of them.
func readRows(
  _ rows: Range<Int>, of dataset: Handle, as type: hid_t, into buffer: UnsafeMutableRawPointer,
  _ name: String, _ path: String
) throws(RSSIError) {
  let space = Handle(H5Dget_space(dataset.id), close: H5Sclose)
  try checkRead(
    H5Sselect_hyperslab(
      space.id, H5S_SELECT_SET, [hsize_t(rows.lowerBound)], nil, [hsize_t(rows.count)], nil),
    "read \(name) of", path)
  let memory = Handle(H5Screate_simple(1, [hsize_t(rows.count)], nil), close: H5Sclose)
  try checkRead(
    H5Dread(dataset.id, type, memory.id, space.id, hid_t(H5P_DEFAULT), buffer),
    "read \(name) of", path)
}

/// Reads rows of compressed chunks, bypassing HDF5's filters.
///
/// - Parameters:
///   - count: The number of rows of the dataset.
///   - chunkRows: The number of rows in a chunk, as `packedChunk` makes them; 0 for other storage.
///   - width: The size of a value in bytes.
///   - buffer: A buffer with room for all of them.
/// - Returns: `false` if HDF5 has to read the rows, because they are not whole chunks up to the end
///   of the dataset, or a chunk is not as expected.
func readChunks(
  _ rows: Range<Int>, of dataset: Handle, count: Int, chunkRows: Int, width: Int,
  into buffer: UnsafeMutableRawBufferPointer
) -> Bool {
  guard chunkRows > 0, rows.lowerBound % chunkRows == 0,
    rows.upperBound % chunkRows == 0 || rows.upperBound == count
  else { return false }
  var first = rows.lowerBound
  while first < rows.upperBound {
    let next = min(first + chunkRows, rows.upperBound)
    let bytes = UnsafeMutableRawBufferPointer(
      rebasing: buffer[(first - rows.lowerBound) * width..<(next - rows.lowerBound) * width])
    guard let chunk = storedChunk(at: first, of: dataset, bytes: chunkRows * width),
      unpack(chunk, rows: chunkRows, width: width, into: bytes)
    else { return false }
    first = next
  }
  return true
}

/// Returns the chunk that starts at a row in its stored form, or `nil` if there is none, or it
/// skipped a filter.
///
/// - Parameter bytes: The size of the chunk's values.
private func storedChunk(at row: Int, of dataset: Handle, bytes: Int) -> [UInt8]? {
  var size: hsize_t = 0
  // Deflating lengthens noise by less than this.
  guard H5Dget_chunk_storage_size(dataset.id, [hsize_t(row)], &size) >= 0,
    (1...UInt64(bytes + 4096)).contains(size)
  else { return nil }
  var skipped: UInt32 = 0
  var isRead = false
  let chunk = [UInt8](unsafeUninitializedCapacity: Int(size)) { chunk, count in
    isRead =
      H5Dread_chunk(
        dataset.id, hid_t(H5P_DEFAULT), [hsize_t(row)], &skipped, chunk.baseAddress) >= 0
    count = isRead ? Int(size) : 0
  }
  return isRead && skipped == 0 ? chunk : nil
}

/// Writes rows of a dataset, extending it if necessary.
///
/// - Parameters:
///   - count: The number of rows of the dataset.
///   - type: The type of the values in memory.
func writeRows(
  _ values: UnsafeRawPointer, _ added: Int, from first: Int, of count: Int,
  to dataset: Handle, as type: hid_t, _ name: String, _ path: String
) throws(RSSIError) {
  if first + added > count {
    try check(H5Dset_extent(dataset.id, [hsize_t(first + added)]), "extend \(name) of", path)
  }
  let space = Handle(H5Dget_space(dataset.id), close: H5Sclose)
  try check(
    H5Sselect_hyperslab(
      space.id, H5S_SELECT_SET, [hsize_t(first)], nil, [hsize_t(added)], nil),
    "extend \(name) of", path)
  let memory = Handle(H5Screate_simple(1, [hsize_t(added)], nil), close: H5Sclose)
  try check(
    H5Dwrite(dataset.id, type, memory.id, space.id, hid_t(H5P_DEFAULT), values),
    "write \(name) to", path)
}

/// The tables that a trace has only if they have rows; a live trace has them from the start or never.
package struct OccasionalTables: OptionSet, Sendable {
  package let rawValue: Int
  /// The floors of a building, and the columns that refer to them.
  package static let floors = OccasionalTables(rawValue: 1)
  /// The known rooms of nodes.
  package static let rooms = OccasionalTables(rawValue: 2)
  /// The columns of angles of sightings.
  package static let angles = OccasionalTables(rawValue: 4)

  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// The layout of the columns of a file.
enum Storage {
  /// Shuffled and deflated at level 1: as small as higher levels on this data, and faster.
  case packed
  /// Uncompressed, in small chunks, for a file that is read while it is being written: each flush
  /// of a partial compressed chunk would rewrite it and leak the old one. All writes also go into
  /// the log.
  ///
  /// - Parameter tables: The occasional tables to create.
  case live(WriteAheadLog, with: OccasionalTables)

  /// The largest number of rows in a chunk; a chunk must stay below HDF5's cache of 1 MiB.
  var chunk: Int { isPacked ? 65_536 : 8_192 }

  /// The number of rows in a chunk of a table that mostly has few: HDF5 compresses chunks as a
  /// whole.
  var smallChunk: Int { isPacked ? 1_024 : 8_192 }

  /// The number of bytes in a chunk of text.
  var textChunk: Int { isPacked ? 16_384 : 8_192 }

  var isPacked: Bool { log == nil }

  /// The log of writes to the columns, if any.
  var log: WriteAheadLog? {
    switch self {
    case .packed: nil
    case .live(let log, _): log
    }
  }
}
