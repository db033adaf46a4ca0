/// Identities where there is no room for whole ones, all shortened in the same way: a UUID is left
/// out if all iBeacons have it, else its first digits that distinguish it remain; of an address its
/// prefix is left out.
package struct ShortIdentities: Equatable, Sendable {
  /// The UUID of all iBeacons; nil if there are several, or none.
  package let commonUUID: String?
  /// Digits of a UUID by which those that there are differ.
  private let digits: Int

  package init(_ identities: some Sequence<String>) {
    let uuids = Set(identities.compactMap { Self.parts(of: $0)?.uuid })
    commonUUID = uuids.count == 1 ? uuids.first.map(String.init) : nil
    let enough = (4...36).first { count in
      Set(uuids.map { $0.prefix(count) }).count == uuids.count
    }
    digits = uuids.count < 2 ? 0 : enough ?? 36
  }

  /// - Parameter keepsKind: whether what it is and that something is missing remain to be seen, as
  ///   in `ibeacon:…:1:7`; else `1:7`.
  package func short(_ identity: String, keepsKind: Bool = false) -> String {
    if identity.hasPrefix("addr:") { return String(identity.dropFirst(5)) }
    guard let (uuid, numbers) = Self.parts(of: identity) else { return identity }
    if digits == 0, !keepsKind { return String(numbers) }
    return (keepsKind ? Self.prefix : "") + uuid.prefix(digits) + "…:" + numbers
  }

  private static let prefix = "ibeacon:"

  /// The UUID of an iBeacon, and its major and minor; nil for other identities.
  private static func parts(of identity: String) -> (uuid: Substring, numbers: Substring)? {
    guard identity.hasPrefix(prefix) else { return nil }
    let parts = identity.dropFirst(prefix.count).split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].utf8.count == 36 else { return nil }
    return (parts[0], parts[1])
  }
}
