internal import CHDF5
import Support

/// The declared rows of a dataset, and those with stored bytes.
///
/// A dataset may declare 2^62 rows and store none, in a file of a kilobyte, so rows are compared
/// with the stored ones before memory is allocated. Rows in other files (external storage, virtual
/// datasets) are not read, because a foreign trace must not access its reader's files.
/// reader.
struct StoredRows {
  var declared: Int
  var stored: Int
  /// The number of rows in a chunk that is shuffled and deflated; 0 for any other storage.
  var packed = 0

  /// - Throws: `.badInput` if it is not one-dimensional, has chunks beyond `largestChunk`, chunks
  ///   deflated more than once, or rows in other files.
  init(of dataset: Handle, _ name: String, _ path: String) throws(RSSIError) {
    let space = Handle(H5Dget_space(dataset.id), close: H5Sclose)
    guard H5Sget_simple_extent_ndims(space.id) == 1 else {
      throw RSSIError(.badInput, "\(name) of \(path) is not one-dimensional: the file is damaged")
    }
    declared = Int(H5Sget_simple_extent_npoints(space.id))
    let type = Handle(H5Dget_type(dataset.id), close: H5Tclose)
    let width = H5Tget_size(type.id)
    let layout = Handle(H5Dget_create_plist(dataset.id), close: H5Pclose)
    guard declared >= 0, width > 0, H5Pget_external_count(layout.id) == 0 else {
      throw Self.unreadable(name, path)
    }
    switch H5Pget_layout(layout.id) {
    case H5D_CHUNKED:
      var rows: [hsize_t] = [0]
      guard H5Pget_chunk(layout.id, 1, &rows) == 1, rows[0] > 0 else {
        throw Self.unreadable(name, path)
      }
      guard rows[0] <= UInt64(Self.largestChunk / width) else {
        throw RSSIError(
          .badInput,
          "\(name) of \(path) has chunks of \(rows[0]) rows, larger than "
            + "\(Self.largestChunk >> 20) MiB: "
            + "rewrite the file with smaller chunks, for example with h5repack")
      }
      let filters = Self.filters(layout)
      // A chunk is expanded at most as much as deflate can, a thousandfold.
      guard filters.count(where: { $0 == chdf5_deflate() }) <= 1 else {
        throw Self.unreadable(name, path)
      }
      if filters == [chdf5_shuffle(), chdf5_deflate()] { packed = Int(rows[0]) }
      var chunks: hsize_t = 0
      try checkRead(
        H5Dget_num_chunks(dataset.id, space.id, &chunks), "read \(name) of", path)
      stored = Int(clamping: chunks.multipliedReportingOverflow(by: rows[0]).partialValue)
    case H5D_CONTIGUOUS, H5D_COMPACT:
      stored = Int(clamping: H5Dget_storage_size(dataset.id)) / width
    default:
      throw Self.unreadable(name, path)
    }
  }

  /// The largest chunk in bytes. Ours have at most 1 MiB; HDF5 loads a chunk to read one of its
  /// rows.
  static let largestChunk = 1 << 24

  /// Returns the filters of chunks, in the order of writing.
  static func filters(_ layout: Handle) -> [H5Z_filter_t] {
    (0..<max(0, H5Pget_nfilters(layout.id))).map { index in
      var flags: UInt32 = 0
      var values = 0
      return H5Pget_filter2(layout.id, UInt32(index), &flags, &values, nil, 0, nil, nil)
    }
  }

  private static func unreadable(_ name: String, _ path: String) -> RSSIError {
    RSSIError(
      .badInput,
      "\(name) of \(path) has an unsupported storage (in another file, or packed "
        + "twice): the file is damaged, or was not written by rssi")
  }
}
