internal import CHDF5
import Support

extension TraceDraft {
  /// Copies groups, datasets and attributes at the root that this version does not know, so that a
  /// file of a later version, or someone's own additions, survive being packed.
  func copyUnknown(from reader: TraceReader) throws(RSSIError) {
    for name in groupNames("/", in: reader.file)
    where name != CommittedTable.name && H5Lexists(file.id, name, hid_t(H5P_DEFAULT)) == 0 {
      try check(
        H5Ocopy(reader.file.id, name, file.id, name, hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT)),
        "copy /\(name) to", reader.path)
    }
    for name in reader.file.attributeNames
    where name != "rows_committed" && name != "log" && H5Aexists(file.id, name) == 0 {
      try copyAttribute(name, from: reader)
    }
  }

  private func copyAttribute(_ name: String, from reader: TraceReader) throws(RSSIError) {
    let path = reader.path
    let old = Handle(
      try checkRead(H5Aopen(reader.file.id, name, hid_t(H5P_DEFAULT)), "read \(name) of", path),
      close: H5Aclose)
    let type = Handle(H5Aget_type(old.id), close: H5Tclose)
    let space = Handle(H5Aget_space(old.id), close: H5Sclose)
    // What is stored elsewhere in the file would be a pointer to nowhere.
    guard H5Tdetect_class(type.id, H5T_VLEN) == 0, H5Tdetect_class(type.id, H5T_REFERENCE) == 0,
      H5Tis_variable_str(type.id) == 0
    else { return }
    let new = Handle(
      try check(
        H5Acreate2(file.id, name, type.id, space.id, hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT)),
        "copy \(name) to", path), close: H5Aclose)
    let count = max(1, Int(H5Sget_simple_extent_npoints(space.id)))
    let (size, isTooLong) = count.multipliedReportingOverflow(by: H5Tget_size(type.id))
    guard !isTooLong, size <= Handle.longestAttribute else {
      throw RSSIError(
        .badInput, "attribute \(name) of \(path) is longer than 1 MiB: the file is damaged")
    }
    var bytes = [UInt8](repeating: 0, count: size)
    try checkRead(H5Aread(old.id, type.id, &bytes), "read \(name) of", path)
    try check(H5Awrite(new.id, type.id, bytes), "copy \(name) to", path)
  }
}

extension Handle {
  /// The names of the attributes, in order of their names.
  var attributeNames: [String] {
    var info = H5O_info_t()
    guard chdf5_object_info(id, &info) >= 0 else { return [] }
    return (0..<info.num_attrs).compactMap { (index: hsize_t) -> String? in
      let length = H5Aget_name_by_idx(
        id, ".", H5_INDEX_NAME, H5_ITER_INC, index, nil, 0, hid_t(H5P_DEFAULT))
      guard length > 0 else { return nil }
      var buffer = [CChar](repeating: 0, count: length + 1)
      H5Aget_name_by_idx(
        id, ".", H5_INDEX_NAME, H5_ITER_INC, index, &buffer, buffer.count, hid_t(H5P_DEFAULT))
      return String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
