internal import Advertising

/// Beacons, numbered in order of first appearance; an identity is one beacon in all its spellings,
/// and is called as it was written first.
///
/// Names are looked up by their UTF-8 bytes; only a new one is parsed.
struct IdentityTable: Sendable {
  private var names = NameTable()
  /// By name, the number of its beacon.
  private var numbers: [UInt32] = []
  private var identities: [BeaconIdentity: UInt32] = [:]
  private var count: UInt32 = 0

  /// The number of a beacon, and its name where it is new.
  mutating func intern(_ utf8: Span<UInt8>) -> (number: UInt32, newName: String?) {
    let (index, isNew) = names.intern(utf8)
    guard isNew else { return (numbers[index], nil) }
    let name = names.names[index]
    let identity = BeaconPattern(name)?.identity
    if let identity, let known = identities[identity] {
      numbers.append(known)
      return (known, nil)
    }
    if let identity { identities[identity] = count }
    numbers.append(count)
    count += 1
    return (count - 1, name)
  }

  /// The number of the beacon that a name means; nil where it is not there.
  func find(_ utf8: Span<UInt8>) -> UInt32? {
    if let index = names.find(utf8) { return numbers[index] }
    guard !identities.isEmpty else { return nil }
    var bytes: [UInt8] = []
    for index in utf8.indices { bytes.append(utf8[index]) }
    return BeaconPattern(String(decoding: bytes, as: UTF8.self))?.identity.flatMap {
      identities[$0]
    }
  }
}
