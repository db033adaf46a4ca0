internal import CHDF5
import Glibc
import Support

/// The properties with which files are opened for writing.
func writeAccess(_ path: String) throws(RSSIError) -> Handle {
  let properties = Handle(
    try check(H5Pcreate(chdf5_file_access()), "write", path), close: H5Pclose)
  try check(H5Pset_driver(properties.id, WatchedDriver.id, nil), "write", path)
  // The newest format that HDF5 1.10, Debian 12's, can read; LATEST would depend on the library.
  try check(H5Pset_libver_bounds(properties.id, H5F_LIBVER_V110, H5F_LIBVER_V110), "write", path)
  // Rows that bypass the cache of chunks would be kept in this one until the next flush.
  try check(H5Pset_sieve_buf_size(properties.id, 0), "write", path)
  // What is written has a name of its own or a mark of HDF5's. A lock would outlive the file where
  // a program inherits the descriptor, and file systems of clusters often have none.
  try check(H5Pset_file_locking(properties.id, false, true), "write", path)
  // Closing the file closes its datasets too, so that the file is whole when close returns.
  try check(H5Pset_fclose_degree(properties.id, H5F_CLOSE_STRONG), "write", path)
  return properties
}

/// Writes everything out and closes the file.
///
/// - Throws: `.inputOutput` if any write to the file has failed since it was opened.
func closeWhole(_ file: Handle, _ path: String) throws(RSSIError) {
  try check(H5Fflush(file.id, H5F_SCOPE_GLOBAL), "write", path)
  guard file.close(), !Abandonment.isOn else { throw hdf5Failure("close", path) }
}

/// HDF5's driver of plain files, which also remembers that a write failed.
///
/// HDF5 drops the error of a write when a dataset is closed, and where a call only asks whether
/// something exists; all writes pass here.
private enum WatchedDriver {
  static let id: hid_t = {
    var driver = plain
    driver.name = UnsafePointer(strdup("watched"))
    driver.write = { file, kind, transfer, place, count, bytes in
      noting(plain.write(file, kind, transfer, place, count, bytes))
    }
    driver.truncate = { file, transfer, isClosing in
      noting(plain.truncate(file, transfer, isClosing))
    }
    return H5FDregister(&driver)
  }()

  /// The library's own driver, which only an open file shows.
  nonisolated(unsafe) private static let plain: H5FD_class_t = {
    let access = Handle(H5Pcreate(chdf5_file_access()), close: H5Pclose)
    H5Pset_fapl_sec2(access.id)
    guard let file = H5FDopen("/dev/null", chdf5_read_only(), access.id, .max) else {
      return H5FD_class_t()
    }
    defer { H5FDclose(file) }
    return file.pointee.cls.pointee
  }()

  private static func noting(_ result: herr_t) -> herr_t {
    if result < 0 {
      var message = chdf5_message()
      chdf5_last_error(&message)
      Abandonment.begin(chdf5_errno(&message))
    }
    return result
  }
}
