internal import CHDF5
import Support

/// The attributes of a file, a group or a dataset. Strings have a fixed length, because
/// variable-length ones cannot be read while the file is being written.
extension Handle {
  func setAttribute(_ name: String, _ text: String, in path: String) throws(RSSIError) {
    let utf8 = Array(text.utf8)
    let type = try stringType(length: max(1, utf8.count), path)
    let attribute = try replaceAttribute(name, type.id, in: path)
    try check(
      H5Awrite(attribute.id, type.id, utf8.isEmpty ? [0] : utf8), "write attribute \(name) of", path
    )
  }

  func setAttribute<Value: Scalar>(_ name: String, _ value: Value, in path: String)
    throws(RSSIError)
  {
    let attribute = try replaceAttribute(name, Value.fileType, in: path)
    try check(
      H5Awrite(attribute.id, Value.memoryType, [value]), "write attribute \(name) of", path)
  }

  /// Creates an attribute of one value, replacing an existing one.
  private func replaceAttribute(
    _ name: String, _ type: hid_t, in path: String
  ) throws(RSSIError) -> Handle {
    let space = Handle(H5Screate(H5S_SCALAR), close: H5Sclose)
    try deleteAttribute(name, in: path)
    return Handle(
      try check(
        H5Acreate2(id, name, type, space.id, hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT)),
        "write attribute \(name) of", path), close: H5Aclose)
  }

  /// Overwrites the value of an existing attribute, even in a file that others are reading.
  func overwriteAttribute<Value: Scalar>(
    _ name: String, _ value: Value, in path: String
  ) throws(RSSIError) {
    let attribute = Handle(
      try check(H5Aopen(id, name, hid_t(H5P_DEFAULT)), "write attribute \(name) of", path),
      close: H5Aclose)
    try check(
      H5Awrite(attribute.id, Value.memoryType, [value]), "write attribute \(name) of", path)
  }

  private func deleteAttribute(_ name: String, in path: String) throws(RSSIError) {
    if H5Aexists(id, name) > 0 {
      try check(H5Adelete(id, name), "replace attribute \(name) of", path)
    }
  }

  /// Returns the text of an attribute, or `nil` if it is absent or not a string.
  func textAttribute(_ name: String) -> String? {
    guard H5Aexists(id, name) > 0 else { return nil }
    let attribute = Handle(H5Aopen(id, name, hid_t(H5P_DEFAULT)), close: H5Aclose)
    let type = Handle(H5Aget_type(attribute.id), close: H5Tclose)
    guard attribute.isScalar, H5Tget_class(type.id) == H5T_STRING, H5Tis_variable_str(type.id) == 0
    else { return nil }
    let width = H5Tget_size(type.id)
    guard width <= Self.longestAttribute else { return nil }
    var bytes = [UInt8](repeating: 0, count: width)
    guard H5Aread(attribute.id, type.id, &bytes) >= 0 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns the number of an attribute, or `nil` if it is absent or not a number.
  func attribute<Value: Scalar>(_ name: String, as: Value.Type) -> Value? {
    guard H5Aexists(id, name) > 0 else { return nil }
    let attribute = Handle(H5Aopen(id, name, hid_t(H5P_DEFAULT)), close: H5Aclose)
    // An array would be read beyond the single allocated value.
    guard attribute.isScalar else { return nil }
    var values = [Value.zero]
    guard H5Aread(attribute.id, Value.memoryType, &values) >= 0 else { return nil }
    return values[0]
  }
}

extension Handle {
  /// The largest size of an attribute in bytes, which bounds the memory for a file's declaration.
  static let longestAttribute = 1 << 20

  /// A Boolean value that is true if an attribute contains one value.
  fileprivate var isScalar: Bool {
    let space = Handle(H5Aget_space(id), close: H5Sclose)
    return H5Sget_simple_extent_npoints(space.id) == 1
  }
}

/// Returns a fixed-length UTF-8 string type, padded with zeros.
func stringType(length: Int, _ path: String) throws(RSSIError) -> Handle {
  let type = Handle(try check(H5Tcopy(chdf5_c_string()), "make a type in", path), close: H5Tclose)
  try check(H5Tset_size(type.id, length), "make a type in", path)
  try check(H5Tset_strpad(type.id, H5T_STR_NULLPAD), "make a type in", path)
  try check(H5Tset_cset(type.id, H5T_CSET_UTF8), "make a type in", path)
  return type
}
