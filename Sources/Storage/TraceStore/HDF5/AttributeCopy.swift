internal import CHDF5
import Support

/// An attribute of one file to copy into another.
///
/// Referenced values are copied with it: texts and sequences of variable length, and references to
/// objects that the other file also has. Other references become null.
struct AttributeCopy {
  private let name: String
  private let new: Handle
  private let path: String
  private let value: Handle
  /// The type in memory, in which texts and sequences of variable length are pointers.
  private let type: Handle
  private let space: Handle

  /// - Throws: `.badInput` for a value that cannot be read.
  init(_ name: String, from old: Handle, to new: Handle, path: String) throws(RSSIError) {
    (self.name, self.new, self.path) = (name, new, path)
    value = Handle(
      try checkRead(H5Aopen(old.id, name, hid_t(H5P_DEFAULT)), "read attribute \(name) of", path),
      close: H5Aclose)
    space = Handle(H5Aget_space(value.id), close: H5Sclose)
    let stored = Handle(
      try checkRead(H5Aget_type(value.id), "read attribute \(name) of", path), close: H5Tclose)
    // A copy does not belong to a file, unlike a named type.
    type = Handle(
      try checkRead(H5Tcopy(stored.id), "read attribute \(name) of", path), close: H5Tclose)
  }

  /// - Parameter places: The places of the old file's objects in the new one, by address.
  func run(_ places: [haddr_t: String]) throws(RSSIError) {
    let count = Int(clamping: H5Sget_simple_extent_npoints(space.id))
    let (size, isTooLong) = max(0, count).multipliedReportingOverflow(by: H5Tget_size(type.id))
    guard !isTooLong, size <= Handle.longestAttribute else {
      throw RSSIError(
        .badInput, "attribute \(name) of \(path) is longer than 1 MiB: the file is damaged")
    }
    let copy = Handle(
      try check(
        H5Acreate2(new.id, name, type.id, space.id, hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT)),
        "copy attribute \(name) to", path), close: H5Aclose)
    guard count > 0 else { return }
    let values = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, size), alignment: 16)
    defer { values.deallocate() }
    values.initializeMemory(as: UInt8.self, repeating: 0)
    try checkRead(
      H5Aread(value.id, type.id, values.baseAddress), "read attribute \(name) of", path)
    defer { H5Dvlen_reclaim(type.id, space.id, hid_t(H5P_DEFAULT), values.baseAddress) }
    redirect(values, type, places)
    try check(
      H5Awrite(copy.id, type.id, values.baseAddress), "copy attribute \(name) to", path)
  }

  /// Redirects the references among values of a type to the same objects in the new file.
  private func redirect(
    _ values: UnsafeMutableRawBufferPointer, _ type: Handle, _ places: [haddr_t: String]
  ) {
    let size = H5Tget_size(type.id)
    guard size > 0, H5Tdetect_class(type.id, H5T_REFERENCE) > 0 else { return }
    for first in stride(from: 0, through: values.count - size, by: size) {
      let one = UnsafeMutableRawBufferPointer(rebasing: values[first..<first + size])
      switch H5Tget_class(type.id) {
      case H5T_REFERENCE:
        redirect(one, isOfObject: H5Tequal(type.id, chdf5_reference()) > 0, places)
      case H5T_COMPOUND:
        for member in 0..<UInt32(clamping: H5Tget_nmembers(type.id)) {
          let kind = Handle(H5Tget_member_type(type.id, member), close: H5Tclose)
          let start = H5Tget_member_offset(type.id, member)
          redirect(
            UnsafeMutableRawBufferPointer(rebasing: one[start..<start + H5Tget_size(kind.id)]),
            kind, places)
        }
      case H5T_ARRAY:
        redirect(one, Handle(H5Tget_super(type.id), close: H5Tclose), places)
      case H5T_VLEN:
        let kind = Handle(H5Tget_super(type.id), close: H5Tclose)
        let sequence = one.loadUnaligned(as: hvl_t.self)
        redirect(
          UnsafeMutableRawBufferPointer(
            start: sequence.p, count: sequence.p == nil ? 0 : sequence.len * H5Tget_size(kind.id)),
          kind, places)
      default: break
      }
    }
  }

  /// Redirects a reference, which is an object's address in all versions of HDF5 with this type.
  private func redirect(
    _ reference: UnsafeMutableRawBufferPointer, isOfObject: Bool, _ places: [haddr_t: String]
  ) {
    let place = isOfObject ? places[reference.loadUnaligned(as: haddr_t.self)] : nil
    reference.initializeMemory(as: UInt8.self, repeating: 0)
    guard let place else { return }
    var address: haddr_t = 0
    guard chdf5_refer(new.id, place, &address) >= 0 else { return }
    reference.storeBytes(of: address, as: haddr_t.self)
  }
}
