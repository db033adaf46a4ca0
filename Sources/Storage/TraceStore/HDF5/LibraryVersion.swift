internal import CHDF5

/// The version of the HDF5 library that is installed, such as `1.10.8`.
package var hdf5Version: String {
  var (major, minor, release): (UInt32, UInt32, UInt32) = (0, 0, 0)
  guard H5get_libversion(&major, &minor, &release) >= 0 else { return "unknown" }
  return "\(major).\(minor).\(release)"
}
