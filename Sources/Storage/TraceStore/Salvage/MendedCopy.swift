internal import CHDF5
import Glibc
import Support

/// A copy of a trace that a power failure has torn, repaired so that HDF5 can read the remains.
///
/// After a power failure, a disk has any subset of the pages written since the last
/// synchronisation. Therefore changing metadata, such as the numbers of rows and the indexes of
/// chunks, may be partly old, and rows may be zeros. The copy corrects them, and ends columns at
/// the first missing page.
struct MendedCopy {
  private let file: TornFile
  private var columns: [String: TornColumn] = [:]

  /// Makes a copy, which is unlinked once it is open.
  ///
  /// - Parameter output: A path next to which there is space for the copy.
  /// - Throws: `.badInput` if the file cannot be mended.
  static func open(_ path: String, beside output: String) throws(RSSIError) -> Handle {
    let place = try AtomicFile(path: output)
    try copyFile(path, to: place.temporaryPath, named: output)
    try extend(place.temporaryPath, output)
    _ = try MendedCopy(place.temporaryPath, path)
    return try openHDF5(place.temporaryPath)
  }

  /// Extends a file to the length that its superblock declares; missing pages are zeros.
  private static func extend(_ copy: String, _ path: String) throws(RSSIError) {
    let file = try TornFile(copy, named: path)
    guard let head = file.bytes(0, 48), head[8] == 3 else { return }
    let end = head.number(28, 8)
    guard end > UInt64(file.length), end < UInt64(file.length) * 2 + 1 << 24 else { return }
    guard truncate(copy, off_t(end)) == 0 else {
      throw RSSIError.writeFailed(path: path, reason: systemMessage(errno))
    }
  }

  private init(_ copy: String, _ path: String) throws(RSSIError) {
    file = try TornFile(copy, named: path)
    guard try file.mendSuperblock() else {
      throw RSSIError(.badInput, "\(path) is damaged from the start")
    }
    let trace = try openHDF5(copy)
    try mend("", of: trace, depth: 0)
    if trace.attribute("clean", as: UInt8.self) != 1 { try leaveOutMissingPages() }
  }

  /// Mends the contents of a group.
  private mutating func mend(_ group: String, of trace: Handle, depth: Int) throws(RSSIError) {
    guard depth < 8 else { return }
    for name in groupNames(group.isEmpty ? "/" : group, in: trace) {
      let place = group.isEmpty ? name : "\(group)/\(name)"
      var link = chdf5_link()
      guard chdf5_link_info(trace.id, place, &link) >= 0, link.type == H5L_TYPE_HARD,
        columns[place] == nil,
        let header = ObjectHeader(at: UInt64(link.u.address), in: file)
      else { continue }
      if let column = try TornColumn(place, header, in: file) {
        columns[place] = column
      } else if header.message(8) == nil {
        try mend(place, of: trace, depth: depth + 1)
      }
    }
  }

  /// Ends the columns of an unclosed trace at the first row that may be on a missing page.
  ///
  /// Kernels write pages within half a minute, so only the rows of the last two are doubtful.
  private mutating func leaveOutMissingPages() throws(RSSIError) {
    let names = columns.keys.sorted()
    let start = firstRecentRow
    for name in names {
      guard var column = columns[name], !column.isFiltered, let least = Self.doubtful(name),
        !column.isZero
      else { continue }
      // The first sighting is at the file's start if that is a whole second.
      let first =
        name == "sightings/time_s" ? max(1, start) : name.hasPrefix("sightings/") ? start : 0
      try column.keep(column.firstDoubtful(from: first, least: least))
      columns[name] = column
    }
  }

  /// Returns the number of zero rows at the end of a page that marks it as missing, or `nil` for a
  /// column in which zeros are common or stand for missing values.
  private static func doubtful(_ name: String) -> Int? {
    switch name {
    case _ where SightingTable.columnsOfZeros.contains(name): nil
    case "sightings/time_s", "sightings/rssi_dbm": 0
    case "payloads/data/bytes": 8
    case "payloads/offset": 1
    case "beacons/id", "receivers/id", "traces/id", "advertisers/address": 1
    default: name.hasPrefix("sightings/") ? 2 : nil
    }
  }

  /// The first sighting of the last two minutes.
  private var firstRecentRow: Int {
    guard let column = columns["sightings/time_s"], !column.isFiltered else { return 0 }
    var last: Double?
    for row in (0..<column.rows).reversed() {
      guard let bytes = column.row(row) else { return 0 }
      let time = Double(bitPattern: bytes.number(0, 8))
      guard time != 0, time.isFinite else { continue }
      if let last, time < last - 120 { return row + 1 }
      last = last ?? time
    }
    return 0
  }
}
