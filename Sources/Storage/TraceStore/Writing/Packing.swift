internal import CHDF5
package import Support

/// Rewrites a trace: compressed, without unused space, and closed as complete.
///
/// All rows that the writer of a killed trace declared complete are included, so this also repairs;
/// so are every filter's `/filtered/NAME`, all `/positions/NAME` and the `/calibration`. Memory
/// does not depend on the number of sightings.
///
/// - Parameters:
///   - path: The path of the new file; may be the trace's own path.
///   - step: The stage to add to the provenance; `nil` adds nothing.
/// - Throws: `.badInput` for a trace that is being written now.
package func pack(
  _ reader: TraceReader, to path: String, adding step: Provenance?
) throws(RSSIError) {
  prepareHDF5()
  guard !reader.isLive else {
    throw RSSIError(
      .badInput, "\(reader.path) is being written: stop the capture first, or read it unpacked")
  }
  let writer = try blaming(reader.path) { () throws(RSSIError) in
    try packed(reader, to: path, adding: step)
  }
  // No other program may start a file of this name before the packed form is in place.
  let hold = WriterHold(path)
  try writer.finish(reader.catalogue) { () throws(RSSIError) in
    hold.end()
    try reader.requireInPlace(for: path)
  }
}

/// Returns the rewritten trace, still open.
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
    try CalibrationTables(in: draft.file).write(calibration, path: path)
  }
  try draft.copyUnknown(from: reader)
  try draft.tables.sightings.append(reader.tables.sightings, rows: reader.count)
  try draft.tables.payloads.append(reader.tables.payloads)
  return draft.startWriting()
}

extension TraceDraft {
  /// Copies a filter's levels and links from another trace.
  fileprivate func copyFilter(_ name: String, from reader: TraceReader) throws(RSSIError) {
    let old = try FilteredTable(name, in: reader.file)
    let new = try FilteredTable.create(name, chain: old.chain, in: file)
    try new.rssi.append(old.rssi, rows: reader.count)
    try new.variance.append(old.variance, rows: reader.count)
    let links = try RowTable(.links(ofFilter: name), in: reader.file).read()
    try RowTable(.links(ofFilter: name), in: file).append(links)
  }

  /// Copies an algorithm's positions from another trace.
  fileprivate func copyPositions(_ name: String, from reader: TraceReader) throws(RSSIError) {
    let old = try PositionTable(name, in: reader.file)
    let new = try PositionTable(name, in: file)
    try new.write(try old.read())
    for attribute in old.group.attributeNames {
      if let text = old.group.textAttribute(attribute) {
        try new.group.setAttribute(attribute, text, in: reader.path)
      }
    }
  }
}
