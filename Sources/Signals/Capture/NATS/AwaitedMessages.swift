/// The messages that are published and not acknowledged yet, in order: their bytes, and where each
/// ends in the spool.
struct AwaitedMessages {
  private var messages: [(bytes: Int, end: SpoolPlace)] = []
  private var bytes = 0

  /// Messages and bytes that are published before the first is acknowledged.
  private static let (most, mostBytes) = (256, 4 << 20)

  /// Whether one more message may be published after some others.
  func hasRoom(after count: Int, bytes more: Int) -> Bool {
    messages.count + count < Self.most && bytes + more < Self.mostBytes
  }

  mutating func add(_ length: Int, until end: SpoolPlace) {
    messages.append((length, end))
    bytes += length
  }

  /// Removes the first messages, which are acknowledged.
  ///
  /// - Returns: where the last of them ends; nil where there are none.
  mutating func remove(_ count: Int) -> SpoolPlace? {
    let removed = messages.prefix(count)
    messages.removeFirst(removed.count)
    bytes -= removed.reduce(0) { $0 + $1.bytes }
    return removed.last?.end
  }
}
