import Advertising
import Sightings

/// The names in a column of a part of a table, with local numbers, and with their numbers in a trace
/// builder.
struct NumberedNames: Sendable {
  private var table = NameTable()
  /// The numbers in the builder; `unknown` until a row with the name was passed on.
  private var numbers: [UInt32] = []
  /// The number of names that are unknown to the builder.
  private var newCount = 0
  /// The name of the row before, which is often that of the next one.
  private var latest = 0
  /// The numbers of identities whose parts are columns, by their text in the table.
  private var identities: [[UInt8]: UInt32] = [:]
  private static let unknown = UInt32.max
  /// The number for a missing column.
  static let noName = UInt32.max

  /// Returns the number of the name in a row, or `nil` for an invalid name.
  mutating func number(_ row: borrowing TableRow, _ column: Int?) -> UInt32? {
    guard let column else { return Self.noName }
    return number(row.bytes.span.extracting(row.range(column)))
  }

  /// Returns the number of the identity of an iBeacon in the columns of its parts, or `nil` for an
  /// invalid one.
  mutating func number(
    _ row: borrowing TableRow, of columns: SightingTableColumns.Identity
  ) -> UInt32? {
    var text = Array("ibeacon:".utf8)
    for (index, column) in [columns.uuid, columns.major, columns.minor].enumerated() {
      if index > 0 { text.append(UInt8(ascii: ":")) }
      let part = row.bytes.span.extracting(row.range(column))
      for index in part.indices { text.append(part[index]) }
    }
    if let known = identities[text] { return known }
    // An identity in any usual spelling.
    guard let identity = BeaconPattern(String(decoding: text, as: UTF8.self))?.identity,
      case .iBeacon = identity
    else { return nil }
    let name = Array(identity.description.utf8)
    let number = number(name.span)
    identities[text] = number
    return number
  }

  /// Returns the number of a name, or `nil` for an invalid one.
  mutating func number(_ name: Span<UInt8>) -> UInt32? {
    if let known = table.find(name, probably: latest) {
      latest = known
      return UInt32(known)
    }
    guard TextLimit.name.admits(name) else { return nil }
    numbers.append(Self.unknown)
    newCount += 1
    return UInt32(table.intern(name).index)
  }

  /// A Boolean value that is true if a name is unknown to the builder.
  var hasNew: Bool { newCount > 0 }

  func isNew(_ number: UInt32) -> Bool {
    number != Self.noName && numbers[Int(number)] == Self.unknown
  }

  /// Assigns a number in a trace builder to a name, if it has none.
  mutating func join(_ number: UInt32, _ intern: (Span<UInt8>) throws -> UInt32) rethrows {
    guard isNew(number) else { return }
    let name = Array(table.names[Int(number)].utf8)
    numbers[Int(number)] = try intern(name.span)
    newCount -= 1
  }

  subscript(number: UInt32) -> UInt32 { numbers[Int(number)] }
}
