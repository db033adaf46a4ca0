internal import CNATS
internal import Glibc
import Support

/// The exclusive right to read a partition of a stream.
///
/// It is a key in a bucket of the server, rewritten every two seconds by its owner; each write
/// names the revision before it, so that one of two writers fails. A key without a write for eight
/// seconds belongs to a capture that ended without releasing it, and any capture may take it over.
struct StreamLease: ~Copyable {
  private let connection: NATSConnection
  let store: OpaquePointer
  private let place: String
  let key: String
  private let owner: String
  private var revision: UInt64 = 0
  private var isOwned = false
  private var attempted = ContinuousClock.now

  static let bucket = "rssi-leases"
  private static let interval = Duration.seconds(2)
  static let expiry = Duration.seconds(8)

  /// - Parameter consumer: the consumer of the partition.
  init(
    _ connection: NATSConnection, _ address: NATSAddress, consumer: String
  ) throws(RSSIError) {
    (self.connection, place) = (connection, address.place)
    key = Self.key(address.stream + "." + consumer)
    owner = "process \(getpid()) on \(hostName())"
    var store: OpaquePointer?
    var status = js_KeyValue(&store, connection.jetStream, Self.bucket)
    if status == NATS_NOT_FOUND {
      status = cnats_create_bucket(
        &store, connection.jetStream, Self.bucket, "Which capture reads which partition")
      // Another capture may have created it meanwhile.
      if status != NATS_OK { status = js_KeyValue(&store, connection.jetStream, Self.bucket) }
    }
    guard status == NATS_OK, let store else {
      throw connection.failure("use the bucket \(Self.bucket)", status)
    }
    self.store = store
  }

  deinit {
    if isOwned {
      // Releases the lease, so that the next capture need not wait.
      var next: UInt64 = 0
      _ = kvStore_UpdateString(&next, store, key, "", revision)
    }
    kvStore_Destroy(store)
  }

  /// Acquires the lease, waiting for a former owner that no longer writes.
  ///
  /// - Parameter goesOn: a function called during the wait.
  /// - Returns: false if that function stopped the wait.
  /// - Throws: `.unavailable` if another capture holds the lease.
  mutating func acquire(while goesOn: () throws -> Bool) throws -> Bool {
    let (status, seen) = read()
    if status == NATS_NOT_FOUND {
      guard kvStore_CreateString(&revision, store, key, owner) == NATS_OK else {
        throw taken(by: "another capture")
      }
      begin()
      return true
    }
    guard let seen else { throw connection.failure("read the bucket \(Self.bucket)", status) }
    if !seen.owner.isEmpty {
      let deadline = ContinuousClock.now + Self.expiry
      while ContinuousClock.now < deadline {
        guard try goesOn() else { return false }
        usleep(50_000)
        guard let now = read().entry, now.revision != seen.revision else { continue }
        guard now.owner.isEmpty else { throw taken(by: now.owner) }
        return try take(over: now.revision)
      }
    }
    return try take(over: seen.revision)
  }

  /// Returns the content of the bucket: the owner, which is empty after a release, and the
  /// revision.
  private func read() -> (status: natsStatus, entry: (owner: String, revision: UInt64)?) {
    var entry: OpaquePointer?
    let status = kvStore_Get(&entry, store, key)
    guard status == NATS_OK, let entry else { return (status, nil) }
    defer { kvEntry_Destroy(entry) }
    let owner = kvEntry_ValueString(entry).map { String(cString: $0) } ?? ""
    return (status, (owner, kvEntry_Revision(entry)))
  }

  private mutating func take(over seen: UInt64) throws(RSSIError) -> Bool {
    guard kvStore_UpdateString(&revision, store, key, owner, seen) == NATS_OK else {
      throw taken(by: "another capture")
    }
    begin()
    return true
  }

  private mutating func begin() {
    isOwned = true
    attempted = .now
  }

  /// Renews the lease when it is due.
  ///
  /// - Throws: `.unavailable` if another capture took it over, for example after a pause of this
  ///   one.
  mutating func renew() throws(RSSIError) {
    guard ContinuousClock.now - attempted >= Self.interval, connection.isConnected else { return }
    attempted = .now
    var next: UInt64 = 0
    if kvStore_UpdateString(&next, store, key, owner, revision) == NATS_OK {
      revision = next
      return
    }
    // The write may have succeeded although the answer was lost.
    guard let now = read().entry else { return }
    guard now.owner == owner else {
      isOwned = false
      throw taken(by: now.owner.isEmpty ? "another capture" : now.owner)
    }
    revision = now.revision
  }

  private func taken(by other: String) -> RSSIError {
    RSSIError(
      .unavailable,
      "\(place) is read by \(other): two captures would record each message "
        + "twice; give each its own partition or client id")
  }

  /// Returns a text as a valid key of a bucket, with letters, digits and a few signs.
  private static func key(_ text: String) -> String {
    String(
      text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.=".contains($0)) ? $0 : "_" })
  }
}
