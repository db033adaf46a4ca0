internal import Advertising

/// A part of the input that did not become a sighting, with the reason.
///
/// | reason | counted input |
/// |---|---|
/// | `other:KIND` | sound packets that carry no advertising report, by `PacketKind` |
/// | `report:joined-fragment` | fragments of an advertisement that are part of its sighting |
/// | `report:pointer` | packets that show where an extended advertisement follows |
/// | `level:rssi-zero` | sightings without a level, whose number was exactly 0 dBm |
/// | `level:rssi-out-of-range` | sightings without a level, whose number was outside -127 to 20 dBm |
/// | `cell:not-heard` | numbers and empty cells of a table that mean "not heard": no sighting |
/// | `time:row-order` | sightings of a table without times, which have those of the order of its rows |
/// | any other | input that was rejected |
package struct Rejected: Equatable, Sendable {
  package var reason: String
  package var count: UInt64

  package init(reason: String, count: UInt64) {
    self.reason = reason
    self.count = count
  }

  /// A Boolean value that is true if input was rejected, rather than of another kind.
  var isRefusal: Bool {
    ![Self.otherPrefix, Self.reportPrefix, Self.levelPrefix, Self.timePrefix, Self.cellPrefix]
      .contains { reason.hasPrefix($0) }
  }

  fileprivate static let otherPrefix = "other:"
  fileprivate static let reportPrefix = "report:"
  fileprivate static let joinedFragment = reportPrefix + "joined-fragment"
  fileprivate static let pointer = reportPrefix + "pointer"
  fileprivate static let levelPrefix = "level:"
  fileprivate static let timePrefix = "time:"
  fileprivate static let cellPrefix = "cell:"
  static let zeroLevel = levelPrefix + "rssi-zero"
  static let levelOutside = levelPrefix + "rssi-out-of-range"
  package static let notHeard = cellPrefix + "not-heard"
  package static let rowOrder = timePrefix + "row-order"
}

extension DecodingCounts {
  /// The input that did not become a sighting, by reason.
  var unseen: [Rejected] {
    var rows = rejections.map { Rejected(reason: $0.reason.rawValue, count: UInt64($0.count)) }
    rows += otherEvents.map {
      Rejected(reason: Rejected.otherPrefix + $0.kind.description, count: UInt64($0.count))
    }
    rows += [
      Rejected(reason: Rejected.joinedFragment, count: UInt64(joinedFragments)),
      Rejected(reason: Rejected.pointer, count: UInt64(pointers)),
    ]
    return rows.filter { $0.count > 0 }
  }
}

extension Catalogue {
  /// The rejected input, by reason.
  package var refusals: [Rejected] { rejected.filter(\.isRefusal) }

  /// The valid packets that carry no report, by kind.
  package var otherEvents: [(kind: String, count: UInt64)] {
    rejected.filter { $0.reason.hasPrefix(Rejected.otherPrefix) }
      .map { (String($0.reason.dropFirst(Rejected.otherPrefix.count)), $0.count) }
  }

  /// The fragments of an advertisement that are part of its sighting.
  package var joinedFragments: UInt64 { count(of: Rejected.joinedFragment) }

  /// The packets that announce an extended advertisement.
  package var pointers: UInt64 { count(of: Rejected.pointer) }

  /// The sightings without a level for which the source has a number instead, by its meaning.
  package var missingLevels: [(reason: String, count: UInt64)] {
    Dictionary(
      rejected.filter { $0.reason.hasPrefix(Rejected.levelPrefix) }
        .map { ($0.reason.dropFirst(Rejected.levelPrefix.count), $0.count) }, uniquingKeysWith: +
    ).sorted { $0.key < $1.key }.map { (String($0.key), $0.value) }
  }

  /// The sightings of tables without times.
  package var untimedSightings: UInt64 { count(of: Rejected.rowOrder) }

  private func count(of reason: String) -> UInt64 {
    rejected.first { $0.reason == reason }?.count ?? 0
  }
}
