internal import Glibc
internal import Sightings
package import Support

/// A publisher of messages to a subject of a NATS server, in order, through a spool on the disk.
///
/// One thread appends messages to the spool, and another publishes them, several at a time, and
/// removes them after the stream's acknowledgement. After any failure of the connection, the first
/// unacknowledged message is published next; the server recognises duplicates by their identifier.
package final class StreamPublisher: @unchecked Sendable {
  private let subject: NATSSubject
  private let options: GatewayOptions
  private let credentials: BrokerCredentials
  private let condition = Condition()

  // Protected by `condition`.
  private let spool: Spool
  private var losses = SpoolLosses()
  private var notes: PublisherNotes
  private var hasNew = true
  private var isSyncDue = false
  private var (isEnding, isEnded) = (false, false)
  private var acknowledged = 0

  // Used only by the publishing thread.
  private var publication: NATSPublication?
  private var awaited = AwaitedMessages()
  /// The end of the latest record that cannot be published, and the identifiers of those already
  /// counted.
  private var skipped: SpoolPlace?
  private var accounted: Set<String> = []
  /// The number of damaged records since the latest intact one, which shows their time.
  private var damaged: UInt64 = 0
  private var latest: [UInt8]?

  /// The time without progress after which the end stops waiting.
  private static let patience = Duration.seconds(5)
  private static let shortPause = Duration.milliseconds(250)

  /// Connects to the server, and starts to publish the spool.
  ///
  /// - Parameters:
  ///   - url: the server and the subject.
  ///   - spool: the folder of the spool.
  ///   - limit: the maximum size of the spool in bytes.
  ///   - environment: the source of `RSSI_NATS_PASSWORD`; nil for that of the process.
  /// - Throws: `RSSIError` if the server refuses the connection, no stream takes the subject, or
  ///   the spool cannot be used. It waits for a server that does not answer.
  package init(
    url: String, options: GatewayOptions, spool folder: String, limit: UInt64,
    environment: [String: String]? = nil
  ) throws(RSSIError) {
    subject = try NATSSubject(url: url)
    self.options = options
    credentials = try BrokerCredentials(
      user: subject.url.user, variable: SecretVariable.natsPassword, options: options,
      environment: environment ?? processEnvironment())
    guard limit >= Spool.smallestLimit else {
      throw .usage("`spoolLimit` is too small: write 1MB or more")
    }
    spool = try Spool(folder: folder, limit: limit)
    notes = PublisherNotes(spool.damage)
    if try !connect() {
      report(
        "\(NATSConnection.missing(subject.broker)); until then the spool \(folder) keeps messages")
    }
    try detachThread { self.run() }
  }

  /// Appends a message in the dialect `rssi`.
  func append(_ message: RSSIMessage) { condition.withLock { store(message.bytes) } }

  /// Starts to flush appended messages to the disk, so that they survive a loss of power.
  package func synchronise() {
    condition.withLock {
      for message in losses.take() { store(message.bytes) }
      notes.add(losses, of: spool)
      isSyncDue = true
      condition.broadcast()
    }
  }

  /// Returns the notes for the user since the last call.
  package func takeNotes() -> [String] {
    condition.withLock { notes.take() }
  }

  /// Waits until everything is acknowledged, as long as there is progress.
  ///
  /// - Returns: the error for unpublished messages; nil if there are none.
  package func finish() -> RSSIError? {
    condition.withLock {
      isEnding = true
      condition.broadcast()
      var (progress, deadline) = (acknowledged, ContinuousClock.now + Self.patience)
      for message in losses.take() { store(message.bytes) }
      while !(spool.isEmpty && losses.isEmpty), ContinuousClock.now < deadline {
        condition.wait(atMost: 50)
        for message in losses.take() { store(message.bytes) }
        if acknowledged != progress {
          (progress, deadline) = (acknowledged, .now + Self.patience)
        }
      }
      notes.add(losses, of: spool, atOnce: true)
      let waiting = spool.waiting
      isEnded = true
      spool.end()
      condition.broadcast()
      guard waiting > 0 else { return nil }
      return RSSIError(
        .unavailable,
        "\(counted(waiting, "message")) not acknowledged by \(subject.broker)"
          + (notes.problem.map { " (\($0))" } ?? ""),
        in: spool.folder,
        advice: "the next capture with this spool publishes them first")
    }
  }

  private func store(_ message: [UInt8]) {
    do throws(RSSIError) {
      for lost in try spool.append(message) { losses.add(lost, reason: .disconnected) }
      hasNew = true
      condition.broadcast()
    } catch {
      losses.add(message, reason: .overflow)
      notes.report("the spool cannot grow (\(error)): sightings are lost until it can")
    }
  }

  private func report(_ problem: String) { condition.withLock { notes.report(problem) } }

  // The following functions run on the publishing thread.

  private func run() {
    var delays = BackOff(first: 250 * .millisecond, limit: 10 * .second)
    while !condition.withLock({ isEnded }) {
      do throws(RSSIError) {
        if publication == nil, try !connect() {
          throw RSSIError(
            .unavailable, "\(NATSConnection.missing(subject.broker)); the spool keeps messages")
        }
        if try exchange() { delays.restart() }
        synchroniseFiles()
      } catch {
        publication = nil
        report(error.description)
        pause(.nanoseconds(delays.take()))
      }
    }
    publication = nil
  }

  /// Waits before the next attempt; briefly if the end is waiting.
  private func pause(_ delay: Duration) {
    let start = ContinuousClock.now
    condition.withLock {
      while !isEnded, ContinuousClock.now - start < (isEnding ? min(delay, Self.shortPause) : delay)
      {
        condition.wait(atMost: 50)
      }
    }
  }

  /// Connects to the server; returns false if none answers.
  private func connect() throws(RSSIError) -> Bool {
    guard
      let connection = try NATSConnection(
        subject.url, options: options, credentials: credentials, reconnects: false)
    else { return false }
    publication = try NATSPublication(connection, subject: subject.subject)
    (awaited, skipped) = (AwaitedMessages(), nil)
    condition.withLock {
      spool.rewind()
      hasNew = true
      if notes.problem != nil { notes.add("connected to \(subject.broker) again") }
      notes.endProblem()
    }
    return true
  }

  /// Publishes the next messages and receives acknowledgements.
  ///
  /// - Returns: true if it received any.
  private func exchange() throws(RSSIError) -> Bool {
    guard let publication else { return false }
    let records = nextRecords()
    for record in records {
      guard let bytes = record.bytes, bytes.count <= publication.longest else {
        skip(record)
        continue
      }
      countDamaged(before: bytes)
      latest = bytes
      try publication.publish(bytes, id: record.id)
      awaited.add(bytes.count, until: record.end)
    }
    let count = try publication.takeAcknowledgements(
      within: publication.isIdle ? 0 : records.isEmpty ? 10 : 1)
    // Before the end may consider the spool empty.
    if publication.isIdle, skipped != nil { countDamaged(before: nil) }
    condition.withLock {
      if let end = awaited.remove(count) {
        spool.acknowledge(upTo: end)
        acknowledged += count
        notes.endProblem()
      }
      if publication.isIdle, let end = skipped.take() { spool.acknowledge(upTo: end) }
      condition.broadcast()
      if publication.isIdle, !hasNew, !isEnded, !isSyncDue { condition.wait(atMost: 100) }
    }
    return count > 0
  }

  /// Returns the records to publish next; none if enough are unacknowledged.
  private func nextRecords() -> [SpoolRecord] {
    condition.withLock {
      var records: [SpoolRecord] = []
      var bytes = 0
      while awaited.hasRoom(after: records.count, bytes: bytes) {
        guard let record = spool.next() else {
          hasNew = false
          break
        }
        bytes += record.bytes?.count ?? 0
        records.append(record)
      }
      return records
    }
  }

  /// Skips a record that is damaged or too long for the server.
  private func skip(_ record: SpoolRecord) {
    skipped = record.end
    // A record that is repeated after an outage was counted before.
    guard accounted.insert(record.id).inserted else { return }
    if record.bytes == nil { damaged += record.count }
    condition.withLock {
      if let bytes = record.bytes {
        losses.add(bytes, reason: .overflow)
        notes.add(
          "a message of \(bytes.count) bytes is dropped: it exceeds the size limit of "
            + "\(subject.broker) (max_payload)")
      } else {
        notes.add(
          "\(counted(Int(record.count), "damaged record")) of the spool \(spool.folder) left out; a gap in "
            + "the stream counts them, and the segment is kept there as *\(Spool.damagedSuffix)")
      }
    }
  }

  /// Counts damaged records as a gap from the record before them to the one after.
  private func countDamaged(before next: [UInt8]?) {
    guard damaged > 0, let known = latest ?? next else { return }
    condition.withLock {
      losses.add(damaged: damaged, from: known, to: next ?? known)
    }
    damaged = 0
  }

  private func synchroniseFiles() {
    let files = condition.withLock {
      defer { isSyncDue = false }
      return isSyncDue && !isEnded ? spool.unsynchronised : []
    }
    for file in files {
      fsync(file)
      close(file)
    }
  }
}

/// The published messages without an acknowledgement, in order: their bytes, and the end of each in
/// the spool.
struct AwaitedMessages {
  private var messages: [(bytes: Int, end: SpoolPlace)] = []
  private var bytes = 0

  /// The maximum numbers of unacknowledged messages and bytes.
  private static let (most, mostBytes) = (256, 4 << 20)

  /// Returns a Boolean value that is true if another message may be published after some others.
  func hasRoom(after count: Int, bytes more: Int) -> Bool {
    messages.count + count < Self.most && bytes + more < Self.mostBytes
  }

  mutating func add(_ length: Int, until end: SpoolPlace) {
    messages.append((length, end))
    bytes += length
  }

  /// Removes the first messages, which are acknowledged.
  ///
  /// - Returns: the end of the last of them; nil if there are none.
  mutating func remove(_ count: Int) -> SpoolPlace? {
    let removed = messages.prefix(count)
    messages.removeFirst(removed.count)
    bytes -= removed.reduce(0) { $0 + $1.bytes }
    return removed.last?.end
  }
}
