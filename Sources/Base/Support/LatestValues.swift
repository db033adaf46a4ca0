/// A dictionary of bounded size, in which a new key replaces the one set longest ago.
///
/// Setting a value takes O(1) on average.
package struct LatestValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var entries: [Key: (value: Value, number: UInt64)] = [:]
  /// The keys in the order of setting, valid from `first`; only the latest entry of a key counts.
  private var order: [(key: Key, number: UInt64)] = []
  private var first = 0
  private var last: UInt64 = 0
  private let most: Int

  /// - Parameter most: The largest number of keys, at least one.
  package init(most: Int) { self.most = max(most, 1) }

  package var count: Int { entries.count }
  package var isFull: Bool { entries.count >= most }
  package var values: some Sequence<(key: Key, value: Value)> {
    entries.lazy.map { ($0.key, $0.value.value) }
  }

  package subscript(key: Key) -> Value? { entries[key]?.value }

  /// Sets the value of a key.
  ///
  /// - Returns: The replaced entry, or `nil` if there was room.
  @discardableResult
  package mutating func set(_ value: Value, for key: Key) -> (key: Key, value: Value)? {
    let removed = entries[key] == nil && isFull ? removeOldest() : nil
    last += 1
    entries[key] = (value, last)
    order.append((key, last))
    if order.count > 2 * entries.count + 64 { forgetOldEntries() }
    return removed
  }

  /// Removes the key that was set longest ago.
  package mutating func removeOldest() -> (key: Key, value: Value)? {
    while first < order.count {
      let (key, number) = order[first]
      first += 1
      if let entry = entries[key], entry.number == number {
        entries[key] = nil
        return (key, entry.value)
      }
    }
    return nil
  }

  package mutating func remove(_ key: Key) -> Value? { entries.removeValue(forKey: key)?.value }

  private mutating func forgetOldEntries() {
    order = order[first...].filter { entries[$0.key]?.number == $0.number }
    first = 0
  }
}
