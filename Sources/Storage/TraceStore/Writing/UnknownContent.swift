internal import CHDF5
internal import Sightings
import Support

extension TraceDraft {
  /// Copies groups, datasets and attributes at the root that this version does not know, so that
  /// files of later versions and users' additions survive packing.
  func copyUnknown(from reader: TraceReader) throws(RSSIError) {
    var copy = ObjectCopy(from: reader.file.handle, to: file.handle, path: reader.path)
    // The writer creates the floors at the end.
    let left = [CommittedTable.name] + (reader.catalogue.floors.isEmpty ? [] : ["floors"])
    let names = groupNames("/", in: reader.file.handle).filter { !left.contains($0) }
    let known = names.filter { H5Lexists(file.handle.id, $0, hid_t(H5P_DEFAULT)) > 0 }
    for name in known { try copy.note("/\(name)") }
    for name in names where !known.contains(name) { try copy.copy("/\(name)") }
    try copy.copyAttributes(exceptAtRoot: ["rows_committed", "log"])
  }
}

/// A copier of objects between files.
///
/// `H5Ocopy` crashes on attributes of variable length that an object stores outside its header
/// (HDF5 1.10.8). So it copies only datasets without attributes; groups, links and attributes are
/// recreated.
private struct ObjectCopy {
  private let old: Handle
  private let new: Handle
  private let path: String
  /// The places in the new file of the old one's objects, by address.
  private var places: [haddr_t: String] = [:]
  /// The copied objects without their attributes so far, which may refer to any object.
  private var bare: [String] = []

  init(from old: Handle, to new: Handle, path: String) {
    (self.old, self.new, self.path) = (old, new, path)
  }

  /// The largest nesting depth of groups, so that a crafted file cannot exhaust the stack.
  private static let deepest = 64

  /// Records an object that the new file already has, with its contents.
  mutating func note(_ place: String, depth: Int = 0) throws(RSSIError) {
    let link = try self.link(place)
    guard link.type == H5L_TYPE_HARD, places[link.u.address] == nil, depth < Self.deepest,
      H5Lexists(new.id, place, hid_t(H5P_DEFAULT)) > 0
    else { return }
    places[link.u.address] = place
    for name in groupNames(place, in: old) { try note("\(place)/\(name)", depth: depth + 1) }
  }

  /// Copies an object that the new file lacks, with its contents.
  mutating func copy(_ place: String, depth: Int = 0) throws(RSSIError) {
    let link = try self.link(place)
    switch link.type {
    case H5L_TYPE_HARD:
      if let other = places[link.u.address] { return try makeLink(place, to: other) }
    case H5L_TYPE_SOFT: return try copySoftLink(place, length: link.u.val_size)
    // Links into other files are neither followed nor copied.
    default: return
    }
    guard depth < Self.deepest else {
      throw RSSIError(
        .badInput, "\(place) is nested more than \(Self.deepest) groups deep: the file is damaged",
        in: path)
    }
    places[link.u.address] = place
    bare.append(place)
    let object = try open(place, in: old)
    guard H5Iget_type(object.id) == H5I_GROUP else { return try copyDataset(place) }
    _ = Handle(
      try check(
        H5Gcreate2(new.id, place, hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT)),
        "copy \(place) to", path), close: H5Gclose)
    for name in groupNames(place, in: old) { try copy("\(place)/\(name)", depth: depth + 1) }
  }

  /// Copies the attributes of copied objects, and those of the root that the new file lacks.
  func copyAttributes(exceptAtRoot left: Set<String>) throws(RSSIError) {
    for place in ["/"] + bare {
      let (from, to) = (try open(place, in: old), try open(place, in: new))
      for name in from.attributeNames
      where H5Aexists(to.id, name) == 0 && !(place == "/" && left.contains(name)) {
        try AttributeCopy(name, from: from, to: to, path: path).run(places)
      }
    }
  }

  private func open(_ place: String, in file: Handle) throws(RSSIError) -> Handle {
    Handle(
      try checkRead(H5Oopen(file.id, place, hid_t(H5P_DEFAULT)), "open \(place) of", path),
      close: H5Oclose)
  }

  private func link(_ place: String) throws(RSSIError) -> chdf5_link {
    var link = chdf5_link()
    try checkRead(
      chdf5_link_info(old.id, place, &link), "read \(place) of", path)
    return link
  }

  private func makeLink(_ place: String, to other: String) throws(RSSIError) {
    try check(
      H5Lcreate_hard(new.id, other, new.id, place, hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT)),
      "copy \(place) to", path)
  }

  private func copySoftLink(_ place: String, length: Int) throws(RSSIError) {
    guard length <= Handle.longestAttribute else { return }
    var target = [CChar](repeating: 0, count: length + 1)
    try checkRead(
      H5Lget_val(old.id, place, &target, length, hid_t(H5P_DEFAULT)), "read \(place) of", path)
    try check(
      H5Lcreate_soft(target, new.id, place, hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT)),
      "copy \(place) to", path)
  }

  /// Copies a dataset, or a named type.
  private func copyDataset(_ place: String) throws(RSSIError) {
    let properties = Handle(H5Pcreate(chdf5_object_copy()), close: H5Pclose)
    try check(
      H5Pset_copy_object(properties.id, UInt32(H5O_COPY_WITHOUT_ATTR_FLAG)), "copy \(place) to",
      path)
    try check(
      H5Ocopy(old.id, place, new.id, place, properties.id, hid_t(H5P_DEFAULT)),
      "copy \(place) to", path)
  }
}
