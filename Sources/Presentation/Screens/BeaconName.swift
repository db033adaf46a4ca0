/// The name of a beacon: the one that users gave it, else its identity.
package struct BeaconName: Equatable, Sendable {
  package var identity: String
  /// The given name; nil if there is none.
  package var given: String?
  /// The receiver that heard it.
  package var receiver: String

  package init(_ identity: String, given: String? = nil, receiver: String = "") {
    (self.identity, self.given, self.receiver) = (identity, given, receiver)
  }

  /// The name without abbreviation.
  var full: String { given ?? identity }

  /// Returns whether a part of the name or of the identity matches a search, ignoring case.
  func matches(_ search: String) -> Bool {
    let search = search.lowercased()
    return identity.lowercased().contains(search) || given?.lowercased().contains(search) == true
  }
}

/// The names of all beacons on a screen, the same everywhere on it.
struct ScreenNames {
  /// A Boolean value that is true if there is no room for whole identities.
  var isShort = true
  let identities: ShortIdentities
  private let hasReceivers: Bool

  /// The columns of a name outside the list.
  private static let width = 28

  init(_ names: some Sequence<BeaconName>) {
    identities = ShortIdentities(names.lazy.filter { $0.given == nil }.map(\.identity))
    let first = names.first { _ in true }?.receiver
    hasReceivers = names.contains { $0.receiver != first }
  }

  func text(of name: BeaconName) -> String {
    let called = name.given ?? (isShort ? identities.short(name.identity) : name.identity)
    return hasReceivers && !name.receiver.isEmpty ? "\(called) at \(name.receiver)" : called
  }

  /// Returns a name for a sentence, in which a long one would leave no room.
  func words(of name: BeaconName) -> String {
    isShort ? PrintableText(text(of: name)).abbreviated(to: Self.width) : text(of: name)
  }

  /// The UUID that names leave out; nil if they do not.
  var commonUUID: String? { isShort ? identities.commonUUID : nil }
}

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
