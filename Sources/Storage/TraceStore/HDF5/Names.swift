internal import CHDF5

/// Returns the names of the groups in a group, sorted; none if it does not exist.
func groupNames(_ name: String, in file: Handle) -> [String] {
  guard H5Lexists(file.id, name, hid_t(H5P_DEFAULT)) > 0 else { return [] }
  let group = Handle(H5Gopen2(file.id, name, hid_t(H5P_DEFAULT)), close: H5Gclose)
  guard group.id >= 0 else { return [] }
  return collectedNames { names in
    chdf5_each_link(group.id, { _, name, _, names in addName(name, to: names) }, names)
  }
}

extension Handle {
  /// The names of the attributes, sorted.
  var attributeNames: [String] {
    collectedNames { names in
      H5Aiterate2(
        id, H5_INDEX_NAME, H5_ITER_NATIVE, nil, { _, name, _, names in addName(name, to: names) },
        names)
    }
  }
}

/// Returns the names that an HDF5 iteration visits, sorted.
///
/// The iteration is in storage order: to sort names, HDF5 1.10.8 makes a table, and crashes if a
/// part of the list is damaged.
func collectedNames(_ iterate: (UnsafeMutableRawPointer) -> herr_t) -> [String] {
  var names: [String] = []
  _ = withUnsafeMutablePointer(to: &names) { iterate($0) }
  return names.sorted()
}

/// Adds a name to those that `collectedNames` collects.
///
/// - Returns: 0, to continue.
func addName(_ name: UnsafePointer<CChar>?, to names: UnsafeMutableRawPointer?) -> herr_t {
  if let name {
    names?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
  }
  return 0
}
