internal import CHDF5
package import Support

/// Writes a trace again: compressed, without the room that growing left, and closed as whole.
///
/// What the writer of a killed trace declared whole is all in it, which is what repairing is; so
/// are every filter's `/filtered/NAME`, all `/positions/NAME` and the `/calibration`. Constant
/// memory in the number of sightings.
///
/// - Parameters:
///   - path: where the new file will be; may be the trace's own path.
///   - step: what is done, added to the provenance; nil adds nothing.
/// - Throws: `.badInput` for a trace that is being written now.
package func pack(
  _ reader: TraceReader, to path: String, adding step: Provenance?
) throws(RSSIError) {
  prepareHDF5()
  guard !reader.isLive else {
    throw RSSIError(
      .badInput, "\(reader.path) is being written: stop the capture first, or read it as it is")
  }
  let writer = try blaming(reader.path) { () throws(RSSIError) in
    try packed(reader, to: path, adding: step)
  }
  // No one begins a file of this name before it has its packed form.
  let hold = WriterHold(path)
  try writer.finish(reader.catalogue) { () throws(RSSIError) in
    hold.end()
    try reader.requireInPlace(for: path)
  }
}

/// The trace written again, still open.
func packed(
  _ reader: TraceReader, to path: String, adding step: Provenance?
) throws(RSSIError) -> TraceWriter {
  let draft = try TraceDraft(
    path: path, start: reader.start,
    provenance: reader.provenance + (step.map { [$0] } ?? []), clock: reader.clockSource,
    note: reader.note, session: reader.session, stream: reader.stream)
  for name in reader.filterNames() { try draft.copyFilter(name, from: reader) }
  for name in reader.positionNames() { try draft.copyPositions(name, from: reader) }
  if let calibration = try reader.calibration() {
    try CalibrationTables(in: draft.file, mode: .create(.packed), path: path)
      .write(calibration, path: path)
  }
  try draft.copyUnknown(from: reader)
  try draft.tables.sightings.append(reader.tables.sightings, rows: reader.count)
  try draft.tables.payloads.append(reader.tables.payloads)
  return draft.startWriting()
}

extension SightingTable {
  /// Adds the first rows of another table, column by column.
  func append(_ other: SightingTable, rows: Int) throws(RSSIError) {
    try beacon.append(other.beacon, rows: rows)
    try advertiser.append(other.advertiser, rows: rows)
    try receiver.append(other.receiver, rows: rows)
    try trace.append(other.trace, rows: rows)
    try rssi.append(other.rssi, rows: rows)
    try eventType.append(other.eventType, rows: rows)
    try channel.append(other.channel, rows: rows)
    try primaryPHY.append(other.primaryPHY, rows: rows)
    try secondaryPHY.append(other.secondaryPHY, rows: rows)
    try sid.append(other.sid, rows: rows)
    try txPower.append(other.txPower, rows: rows)
    try dataStatus.append(other.dataStatus, rows: rows)
    try payload.append(other.payload, rows: rows)
    try dwell.append(other.dwell, rows: rows)
    try time.append(other.time, rows: rows)
  }
}

extension PayloadRows {
  /// Adds all payloads of another table that are whole.
  func append(_ other: PayloadRows) throws(RSSIError) {
    let (rows, data) = (other.tables[0].rows.count, other.tables[1].rows.count)
    try offset.append(other.offset, rows: rows)
    try length.append(other.length, rows: rows)
    try bytes.append(other.bytes, rows: data)
  }
}

extension Column {
  /// Adds the first rows of another column, a block at a time.
  func append(_ other: Column, rows: Int) throws(RSSIError) {
    var block: [Element] = []
    var first = 0
    while first < rows {
      let range = first..<min(first + 65_536, rows)
      try other.read(range, into: &block)
      try append(block)
      first = range.upperBound
    }
  }
}

extension TraceDraft {
  /// Adds a filter's levels and links as another trace has them.
  func copyFilter(_ name: String, from reader: TraceReader) throws(RSSIError) {
    let path = reader.path
    let old = try FilteredTable(name: name, in: reader.file, mode: .open(reader.trust), path: path)
    let new = try FilteredTable(name: name, in: file, mode: .create(.packed), path: path)
    try new.rssi.append(old.rssi, rows: reader.count)
    try new.variance.append(old.variance, rows: reader.count)
    try new.group.align(to: "time_s", of: "sightings", in: file)
    try new.group.group.setAttribute(
      "chain", old.group.group.textAttribute("chain") ?? "", in: path)
    let links = try FilteredLinkTable(
      name: name, in: reader.file, mode: .open(reader.trust), path: path
    ).read()
    try FilteredLinkTable(name: name, in: file, mode: .create(.packed), path: path).append(links)
  }
  /// Adds an algorithm's positions as another trace has them.
  func copyPositions(_ name: String, from reader: TraceReader) throws(RSSIError) {
    let clock = Clock(start: reader.start)
    let old = try LocatedTable(
      name: name, in: reader.file, mode: .open(reader.trust), timeUnits: clock.units,
      path: reader.path)
    let new = try LocatedTable(
      name: name, in: file, mode: .create(.packed), timeUnits: clock.units, path: reader.path)
    try new.append(try old.read(clock: clock, path: reader.path), clock: clock)
    for attribute in old.group.group.attributeNames {
      if let text = old.group.group.textAttribute(attribute) {
        try new.group.group.setAttribute(attribute, text, in: reader.path)
      }
    }
  }
}
