package import Advertising

extension BeaconKind {
  /// The kind that a written identity is of, such as `ibeacon:…`; `other` for any other name.
  package init(identity: String) {
    let prefix = identity.prefix { $0 != ":" }
    self = prefix.count < identity.count ? BeaconKind(rawValue: String(prefix)) ?? .other : .other
  }
}
