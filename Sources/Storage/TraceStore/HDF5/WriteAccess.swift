internal import CHDF5
import Glibc
import Support

/// Returns the access properties of files that are opened for writing.
func writeAccess(_ path: String) throws(RSSIError) -> Handle {
  let properties = Handle(
    try check(H5Pcreate(chdf5_file_access()), "write", path), close: H5Pclose)
  try check(H5Pset_driver(properties.id, WatchedDriver.id, nil), "write", path)
  // The newest format that HDF5 1.10, Debian 12's, can read; LATEST would depend on the library.
  try check(H5Pset_libver_bounds(properties.id, H5F_LIBVER_V110, H5F_LIBVER_V110), "write", path)
  // Rows that bypass the chunk cache would stay in this buffer until the next flush.
  try check(H5Pset_sieve_buf_size(properties.id, 0), "write", path)
  // A written file has its own temporary name or HDF5's mark. A lock would outlive the file if a
  // program inherits the descriptor, and file systems of clusters often have none.
  try check(H5Pset_file_locking(properties.id, false, true), "write", path)
  // Closing the file closes its datasets too, so the file is complete when close returns.
  try check(H5Pset_fclose_degree(properties.id, H5F_CLOSE_STRONG), "write", path)
  return properties
}

/// Flushes and closes the file.
///
/// - Throws: `.inputOutput` if any write to the file has failed since it was opened.
func closeWhole(_ file: Handle, _ path: String) throws(RSSIError) {
  try check(H5Fflush(file.id, H5F_SCOPE_GLOBAL), "write", path)
  guard file.close(), !Abandonment.isOn else { throw hdf5Failure("close", path) }
}

/// HDF5's driver of plain files, extended to remember a failed write.
///
/// HDF5 drops the error of a write when a dataset is closed, and in calls that only ask for the
/// existence of something; all writes pass here.
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

  /// The library's own driver, which is only accessible through an open file.
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
