import Advertising

/// The common abbreviation of identities without room for complete ones: a UUID is left out if all
/// iBeacons share it, else its first distinguishing digits remain; an address is shown without its
/// prefix.
package struct ShortIdentities: Equatable, Sendable {
  /// The UUID of all iBeacons; nil if there are several, or none.
  package let commonUUID: String?
  /// The number of digits by which the present UUIDs differ.
  private let digits: Int

  package init(_ identities: some Sequence<String>) {
    let uuids = Set(identities.compactMap { Self.parts(of: $0)?.uuid })
    commonUUID = uuids.count == 1 ? uuids.first.map(String.init) : nil
    let enough = (4...36).first { count in
      Set(uuids.map { $0.prefix(count) }).count == uuids.count
    }
    digits = uuids.count < 2 ? 0 : enough ?? 36
  }

  /// - Parameter keepsKind: true to show the kind and the omission, as in `ibeacon:…:1:7`; else
  ///   `1:7`.
  package func short(_ identity: String, keepsKind: Bool = false) -> String {
    if identity.hasPrefix("addr:") { return String(identity.dropFirst(5)) }
    guard let (uuid, numbers) = Self.parts(of: identity) else { return identity }
    if digits == 0, !keepsKind { return String(numbers) }
    return (keepsKind ? Self.prefix : "") + uuid.prefix(digits) + "…:" + numbers
  }

  private static let prefix = "ibeacon:"

  /// Returns the UUID of an iBeacon, and its major and minor; nil for other identities.
  private static func parts(of identity: String) -> (uuid: Substring, numbers: Substring)? {
    guard identity.hasPrefix(prefix) else { return nil }
    let parts = identity.dropFirst(prefix.count).split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].utf8.count == 36 else { return nil }
    return (parts[0], parts[1])
  }
}

/// Returns identities for a message in the form in which screens print them, which options accept.
///
/// - Parameter asked: the names that the user gave: identities keep the digits that distinguish
///   their UUIDs from the ones in these names.
package func shortIdentities(_ identities: [String], besides asked: [String] = []) -> [String] {
  let named = asked.lazy.compactMap { text -> String? in
    guard case .iBeacon(let uuid, let major, let minor)? = BeaconPattern(text) else { return nil }
    return "\(BeaconIdentity.iBeacon(uuid: uuid, major: major ?? 0, minor: minor ?? 0))"
  }
  let common = ShortIdentities(identities + named)
  return identities.map { $0.hasPrefix("ibeacon:") ? common.short($0, keepsKind: true) : $0 }
}
