internal import CHDF5
import Support

/// How files are opened for writing.
func writeAccess(_ path: String) throws(RSSIError) -> Handle {
  let properties = Handle(
    try check(H5Pcreate(chdf5_file_access()), "write", path), close: H5Pclose)
  // The newest format that HDF5 1.10, Debian 12's, can read; LATEST would depend on the library.
  try check(H5Pset_libver_bounds(properties.id, H5F_LIBVER_V110, H5F_LIBVER_V110), "write", path)
  // What is written has a name of its own or a mark of HDF5's. A lock would outlive the file where a
  // program inherits the descriptor, and file systems of clusters often have none.
  try check(H5Pset_file_locking(properties.id, false, true), "write", path)
  // Closing the file closes its datasets too, so that the file is whole when close returns.
  try check(H5Pset_fclose_degree(properties.id, H5F_CLOSE_STRONG), "write", path)
  return properties
}

/// Writes everything out and closes the file.
func closeWhole(_ file: Handle, _ path: String) throws(RSSIError) {
  try check(H5Fflush(file.id, H5F_SCOPE_GLOBAL), "write", path)
  guard file.close() else { throw hdf5Failure("close", path) }
}
