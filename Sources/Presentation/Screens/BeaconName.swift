import Sightings

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
