internal import CHDF5
import Glibc
public import Sightings

/// Reads a trace: its tables at once, its sightings in blocks, in constant memory.
public final class TraceReader {
  public let path: String
  public let catalogue: Catalogue
  /// The time that the file counts from, nanoseconds since the Unix epoch.
  public let start: Int64
  /// Number of sightings.
  public let count: Int
  /// False if the program that wrote the file was stopped before it finished.
  public let isClean: Bool
  public let provenance: [Provenance]
  private let file: Handle
  private let tables: TraceTables
  private let clock: Clock

  /// - Throws: `.noInput` for a missing file or a directory, `.badInput` for anything that is not a
  ///   trace of this version, `.permission` where it may not be read.
  public init(path: String) throws(TraceError) {
    prepareHDF5()
    try requireHDF5(path)
    self.path = path
    file = try openForReading(path)
    guard file.textAttribute("format") == "rssi-trace" else {
      throw TraceError(
        .badInput,
        "\(path) is an HDF5 file but not a trace of rssi; make one with `rssi import` from a recording or a table"
      )
    }
    let version = file.attribute("format_version", as: UInt16.self) ?? 0
    guard version == 1 else {
      throw TraceError(
        .badInput, "\(path) is a trace of format \(version), this rssi reads format 1: update rssi")
    }
    guard let text = file.textAttribute("start"), let start = Timestamp.parse(iso8601: text) else {
      throw TraceError(.badInput, "\(path) does not say when it starts: it is damaged")
    }
    self.start = start
    isClean = file.attribute("clean", as: UInt8.self) == 1
    clock = Clock(start: start)
    tables = try TraceTables(in: file, mode: .open, clock: clock, path: path)
    count = tables.sightings.count
    catalogue = try tables.catalogue.read(clock: clock, path: path)
    provenance = try tables.provenance.read(path: path)
  }

  /// The advertising data of all sightings.
  public func payloads() throws(TraceError) -> Payloads {
    prepareHDF5()
    return try tables.payloads.read(path: path)
  }

  /// Hands over all sightings in blocks, with the columns asked for.
  ///
  /// - Parameters:
  ///   - fields: which columns to read; the others stay empty.
  ///   - filtered: also the levels of this filter, as `rssi`, in place of the raw ones.
  ///   - rows: rows in a block; 65,536 fit the file's chunks.
  ///   - body: called with each block; what it throws ends the reading.
  public func forEachBlock(
    _ fields: SightingFields, filtered: String? = nil, rows: Int = 65_536,
    _ body: (borrowing SightingColumns) throws -> Void
  ) throws {
    prepareHDF5()
    let filter = try filtered.map { try FilteredTable(name: $0, in: file, mode: .open, path: path) }
    if let filter, filter.rssi.count != count {
      throw TraceError(
        .badInput, "/filtered/\(filtered ?? "") of \(path) has \(filter.rssi.count) rows, /sightings \(count)")
    }
    var block = SightingColumns(capacity: 0)
    var seconds: [Double] = []
    let table = tables.sightings
    var first = 0
    while first < count {
      let range = first..<min(first + rows, count)
      if fields.contains(.time) {
        try table.time.read(range, into: &seconds)
        block.time.removeAll(keepingCapacity: true)
        for second in seconds { block.time.append(clock.time(second)) }
      }
      if fields.contains(.link) {
        try table.beacon.read(range, into: &block.beacon)
        try table.receiver.read(range, into: &block.receiver)
        try table.trace.read(range, into: &block.trace)
      }
      if fields.contains(.rssi) {
        if let filter {
          try filter.rssi.read(range, into: &block.rssi)
        } else {
          try table.rssi.read(range, into: &block.rssi)
        }
      }
      if fields.contains(.dwell) { try table.dwell.read(range, into: &block.dwell) }
      if fields.contains(.payload) { try table.payload.read(range, into: &block.payload) }
      if fields.contains(.channel) { try table.channel.read(range, into: &block.channel) }
      if fields.contains(.radio) {
        try table.advertiser.read(range, into: &block.advertiser)
        try table.eventType.read(range, into: &block.eventType)
        try table.primaryPHY.read(range, into: &block.primaryPHY)
        try table.secondaryPHY.read(range, into: &block.secondaryPHY)
        try table.sid.read(range, into: &block.sid)
        try table.txPower.read(range, into: &block.txPower)
        try table.dataStatus.read(range, into: &block.dataStatus)
      }
      try body(block)
      first = range.upperBound
    }
  }

  /// The names of the filters whose levels the trace holds, sorted.
  public func filterNames() -> [String] {
    prepareHDF5()
    return groupNames("filtered", in: file)
  }
}

/// Which columns of the sightings a stage needs; reading fewer is faster.
public struct SightingFields: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let time = SightingFields(rawValue: 1)
  /// Beacon, receiver and trace.
  public static let link = SightingFields(rawValue: 2)
  public static let rssi = SightingFields(rawValue: 4)
  public static let dwell = SightingFields(rawValue: 8)
  public static let payload = SightingFields(rawValue: 16)
  public static let channel = SightingFields(rawValue: 32)
  /// Advertiser, event type, PHYs, SID, transmit power and data status.
  public static let radio = SightingFields(rawValue: 64)
}

/// Refuses what is not an HDF5 file, in words that say what it is.
private func requireHDF5(_ path: String) throws(TraceError) {
  var status = stat()
  guard stat(path, &status) == 0 else {
    throw TraceError(
      errno == EACCES ? .permission : .noInput,
      "cannot open \(path): \(String(cString: strerror(errno)))")
  }
  guard status.st_mode & S_IFMT != S_IFDIR else {
    throw TraceError(.noInput, "\(path) is a directory: name a trace file in it")
  }
  guard access(path, R_OK) == 0 else {
    throw TraceError(.permission, "cannot open \(path): you may not read it")
  }
  guard status.st_size > 0 else { throw TraceError(.badInput, "\(path) is empty") }
  guard H5Fis_hdf5(path) > 0 else {
    throw TraceError(
      .badInput,
      "\(path) is not an HDF5 file; a recording or a table becomes one with `rssi import \(path) -o trace.h5`"
    )
  }
}

/// Opens plainly, then as a reader beside a live writer, which also opens what a killed one left.
private func openForReading(_ path: String) throws(TraceError) -> Handle {
  var id = H5Fopen(path, chdf5_read_only(), hid_t(H5P_DEFAULT))
  if id < 0, isMarkedAsOpen(path) {
    let properties = Handle(H5Pcreate(chdf5_file_access()), close: H5Pclose)
    // HDF5 waits twice as long before each attempt: 25 are a tenth of a second, its own 100 for ever.
    H5Pset_metadata_read_attempts(properties.id, 25)
    id = H5Fopen(path, chdf5_read_only() | chdf5_swmr_read(), properties.id)
  }
  guard id >= 0 else {
    var message = chdf5_message()
    chdf5_last_error(&message)
    let detail = String(cString: chdf5_text(&message))
    throw TraceError(
      .badInput, "\(path) is a damaged or truncated HDF5 file (\(detail)): copy it again from its source")
  }
  return Handle(id, close: H5Fclose)
}

/// Whether the file says that a program has it open for writing: byte 11 of a version 3 superblock.
private func isMarkedAsOpen(_ path: String) -> Bool {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  var head = [UInt8](repeating: 0, count: 12)
  return read(descriptor, &head, head.count) == head.count && head[8] >= 3 && head[11] != 0
}

/// The names of the groups in a group, sorted; none if it does not exist.
func groupNames(_ name: String, in file: Handle) -> [String] {
  guard H5Lexists(file.id, name, hid_t(H5P_DEFAULT)) > 0 else { return [] }
  let group = Handle(H5Gopen2(file.id, name, hid_t(H5P_DEFAULT)), close: H5Gclose)
  var info = H5G_info_t()
  guard H5Gget_info(group.id, &info) >= 0 else { return [] }
  var names: [String] = []
  for index in 0..<info.nlinks {
    let length = H5Lget_name_by_idx(
      group.id, ".", H5_INDEX_NAME, H5_ITER_INC, index, nil, 0, hid_t(H5P_DEFAULT))
    guard length > 0 else { continue }
    var buffer = [CChar](repeating: 0, count: length + 1)
    guard
      H5Lget_name_by_idx(
        group.id, ".", H5_INDEX_NAME, H5_ITER_INC, index, &buffer, buffer.count, hid_t(H5P_DEFAULT))
        > 0
    else { continue }
    names.append(String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
  return names
}
