/// What a beacon is called: by the name that people gave it, else by its identity.
package struct BeaconName: Equatable, Sendable {
  package var identity: String
  /// Nil where it has none.
  package var given: String?
  /// The receiver that heard it.
  package var receiver: String

  package init(_ identity: String, given: String? = nil, receiver: String = "") {
    (self.identity, self.given, self.receiver) = (identity, given, receiver)
  }

  /// Not shortened.
  var full: String { given ?? identity }

  /// Whether a part of the name or of the identity is what was searched for, in either case.
  func matches(_ search: String) -> Bool {
    let search = search.lowercased()
    return identity.lowercased().contains(search) || given?.lowercased().contains(search) == true
  }
}

/// What all beacons of a screen are called on it, each everywhere alike.
struct ScreenNames {
  /// Whether there is no room for whole identities.
  var isShort = true
  let identities: ShortIdentities
  private let hasReceivers: Bool

  /// Columns of a name outside the list.
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

  /// As in a sentence, where a long name would leave no room.
  func words(of name: BeaconName) -> String {
    isShort ? PrintableText(text(of: name)).abbreviated(to: Self.width) : text(of: name)
  }

  /// The UUID that names leave out; nil where they do not.
  var commonUUID: String? { isShort ? identities.commonUUID : nil }
}
