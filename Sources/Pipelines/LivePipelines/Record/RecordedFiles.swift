import Advertising
import Capture
import Recordings
import Sightings
import Support
import TracePipelines
import TraceStore

// The beginning, growth, moves and end of the files of a recording.
extension Recorder {
  /// Closes everything as complete.
  ///
  /// - Throws: `.unavailable` if the source never began to listen.
  package mutating func finish() throws {
    guard hasBegun || isReplay else {
      throw RSSIError(
        .unavailable,
        "\(request.source.name) did not begin to listen before the capture ended: nothing was "
          + "recorded, and no file was changed"
      )
    }
    if !hasBegun { try begin(at: context.clock.now()) }
    try decoder.flush(into: &rows)
    try readClocks()
    try close()
    for text in rows.ambiguities { context.log.warn(text) }
    context.board?.publish(metrics)
    context.control.show(nil)
  }

  /// Removes the latest file if nothing of it was saved: a service that fails at each start would
  /// leave an empty trace each time.
  ///
  /// - Returns: true if it was removed.
  mutating func removeEmptyFile() -> Bool {
    // Some thousand rows may have been written before the first flush.
    guard !hasContent, rows.taken - takenBefore < Self.mostWaitingRows else { return false }
    return files.removeLast()
  }

  /// Returns true if an error is of the disk with the raw events.
  func isOfEvents(_ error: any Error) -> Bool {
    guard let path = files.btsnoopPath, let error = error as? RSSIError else { return false }
    return error.kind == .inputOutput && error.subject == path
  }

  /// Gives up the raw events after a failure of their disk, so that the trace can be closed as
  /// complete.
  mutating func abandonBTSnoop() {
    if let writer = files.btsnoop.take() { writer.abandon() }
  }

  /// Adds an offset of the machine's clock from a session's time.
  mutating func append(_ offset: SessionOffset) { rows.builder?.append(offset) }

  mutating func begin(at time: Int64) throws {
    recorded = time
    let lines = context.lines.map {
      SightingLineSink($0, at: request.labels.at.map { ($0.x, $0.y, $0.z) })
    }
    try begin(
      into: RecordOutput(
        try files.open(at: time), publisher: files.publisher, lines: lines,
        latency: latency.take()))
  }

  private mutating func begin(into output: consuming RecordOutput) throws {
    var builder = TraceBuilder(into: output)
    builder.currentTrace = try builder.trace(named: files.traceName)
    try request.labels.begin(&builder)
    if let part { builder.append(part) }
    if let standing { builder.standing = standing }
    for (adapter, receiver) in receivers.sorted(by: { $0.key < $1.key }) {
      try builder.describe(adapter: adapter, name: receiver.name, radio: receiver.radio)
    }
    if !isReplay { builder.append(clocks.begin()) }
    builder.account(for: unfiled)
    unfiled = DecodingCounts()
    rows.begin(builder)
    (hasContent, takenBefore) = (false, rows.taken)
    nextFlush = context.clock.monotonic() + request.flush.nanoseconds
    try flush()
  }

  private mutating func close() throws {
    try mark()
    guard var builder = rows.builder.take() else { return }
    let catalogue = try builder.complete()
    noteContent(of: catalogue)
    latency = builder.sink.latency
    let file = try builder.takeSink().finish(catalogue, orCopyTo: files.placesOfCopy)
    if let file, file.fate == .saved { note("saved the recording as \(file.path)") }
    try files.close(file)
  }

  /// Notices what other programs do with the file within a tick, before data are lost.
  mutating func followFile() throws {
    switch rows.builder?.sink.place {
    case nil, .unchanged: return
    case .moved(let path):
      if files.follow(to: path) {
        note("the trace was moved to \(path) while it was being written: recording goes on there")
      }
    case .deleted:
      // A part of a session is one file: it is saved when it ends.
      guard part == nil else {
        if !isDeleted {
          note("\(files.current ?? "") was deleted: its data will be saved at the end")
        }
        isDeleted = true
        return
      }
      note(
        "\(files.current ?? "") was deleted or replaced while it was being written: its data are "
          + "saved, and the capture goes on in a new file"
      )
      try rotate()
    }
  }

  mutating func rotate() throws {
    context.control.show(nil)
    try close()
    files.packLast()
    // The times of a recording continue in the next file.
    try begin(at: isReplay ? recorded : context.clock.now())
  }

  /// Passes on the account of the publisher, and begins again with the tables of published or
  /// written rows before they grow too large.
  mutating func followPublisher() throws {
    for text in files.publisher?.takeNotes() ?? [] { note(text) }
    guard rows.hasLargeTables else { return }
    try flush()
    guard let builder = rows.builder.take() else { return }
    var output = builder.takeSink()
    output.renew()
    try begin(into: output)
  }

  mutating func flush() throws {
    try mark()
    try files.btsnoop?.flush()
    try rows.builder?.flush()
    if let catalogue = rows.builder?.currentCatalogue() {
      try rows.builder?.sink.update(catalogue)
      noteContent(of: catalogue)
    }
    rows.builder?.sink.synchronise()
    flushed = context.clock.monotonic()
    hasNew = false
  }

  /// Notes that the file has content that a user would miss.
  private mutating func noteContent(of catalogue: Catalogue) {
    hasContent =
      hasContent || rows.span != nil || !catalogue.gaps.isEmpty || !catalogue.rejected.isEmpty
      || !catalogue.positions.isEmpty
  }

  /// Adds the places of the receivers and the counts of packets to the trace.
  private mutating func mark() throws {
    try rows.mark(request.labels)
    account(for: decoder.takeCounts())
    if let position = position.take() { rows.builder?.append(position) }
  }

  mutating func readClocks() throws {
    // The times of a recording are of another clock.
    guard !isReplay else { return }
    let finding = clocks.look()
    for reading in finding.readings { rows.builder?.append(reading) }
    guard let step = finding.step, let uncertain = finding.uncertain else { return }
    note(
      "the machine's clock was set by \(decimal(Double(step) / 1e9, 3)) s: see /gaps for the time and /clock for "
        + "both clocks"
    )
    for adapter in receivers.keys.sorted() {
      try lost(
        Loss(
          adapter: adapter, reason: .clockStep, start: uncertain.lowerBound,
          end: uncertain.upperBound))
    }
  }

  /// Adds the place of a node at a time.
  mutating func mark(_ mark: TruthMark, at time: Int64) throws {
    guard let node = try rows.builder?.add(mark.node, role: mark.role),
      let trace = rows.builder?.currentTrace
    else { return }
    switch mark.place {
    case .position(let x, let y, let z, let floor):
      let floor = try rows.builder?.floor(named: floor ?? "")
      rows.builder?.append(
        TruthPoint(
          time: time, role: mark.role, node: node, trace: trace, floor: floor ?? nil, x: x, y: y,
          z: z))
    case .room(let room):
      rows.builder?.append(
        RoomMark(time: time, role: mark.role, node: node, trace: trace, room: room))
    }
    hasNew = true
  }
}
