internal import Advertising

/// Names numbered in order of first appearance, looked up by their UTF-8 bytes without a String.
package struct NameTable: Sendable {
  package private(set) var names: [String] = []
  private var table = ByteTable()

  package init() {}

  package var count: Int { names.count }

  /// Returns the number of a name, which is added if it is new.
  package mutating func intern(_ utf8: Span<UInt8>) -> (index: Int, isNew: Bool) {
    let result = table.intern(utf8)
    if result.isNew {
      var bytes: [UInt8] = []
      for i in utf8.indices { bytes.append(utf8[i]) }
      names.append(String(decoding: bytes, as: UTF8.self))
    }
    return result
  }

  /// Returns the number of a name, which is added if it is new.
  package mutating func intern(_ name: String) -> (index: Int, isNew: Bool) {
    let bytes = Array(name.utf8)
    return intern(bytes.span)
  }

  /// Returns the number of a name, or `nil` if it is unknown.
  package func find(_ name: String) -> Int? {
    let bytes = Array(name.utf8)
    return find(bytes.span)
  }

  /// Returns the number of a name, or `nil` if it is unknown.
  ///
  /// - Parameter guess: A number that is compared first.
  package func find(_ utf8: Span<UInt8>, probably guess: Int = .max) -> Int? {
    table.find(utf8, probably: guess)
  }
}

/// A table of beacons, numbered in order of first appearance; all spellings of an identity are one
/// beacon, which has its first spelling.
///
/// Names are looked up by their UTF-8 bytes; only a new one is parsed.
struct IdentityTable: Sendable {
  /// The known spellings, with that of recordings for each beacon.
  private var names = ByteTable()
  /// The number of the beacon, by name.
  private var numbers: [UInt32] = []
  private var count: UInt32 = 0

  init() {}

  /// - Parameter names: The names of different beacons, in the order of their numbers.
  init(_ names: [String]) {
    for name in names {
      let bytes = Array(name.utf8)
      _ = intern(bytes.span)
    }
  }

  /// Returns the number of a beacon, with its name if it is new.
  mutating func intern(_ utf8: Span<UInt8>) -> (number: UInt32, newName: String?) {
    let (index, isNew) = names.intern(utf8)
    guard isNew else { return (numbers[index], nil) }
    let name = String(utf8)
    guard let written = Self.written(name), written != name else {
      return (appendBeacon(), name)
    }
    let bytes = Array(written.utf8)
    if let known = names.find(bytes.span) {
      numbers.append(numbers[known])
      return (numbers[known], nil)
    }
    let number = appendBeacon()
    _ = names.intern(bytes.span)
    numbers.append(number)
    return (number, name)
  }

  /// Returns the number of the beacon that a name means, or `nil` if it is unknown.
  func find(_ utf8: Span<UInt8>) -> UInt32? {
    if let index = names.find(utf8) { return numbers[index] }
    guard count > 0, let written = Self.written(String(utf8)) else { return nil }
    let bytes = Array(written.utf8)
    return names.find(bytes.span).map { numbers[$0] }
  }

  private mutating func appendBeacon() -> UInt32 {
    defer { count += 1 }
    numbers.append(count)
    return count
  }

  /// Returns the identity that a name means, as recordings write it, or `nil` for a name of another
  /// kind.
  private static func written(_ name: String) -> String? {
    BeaconPattern(name)?.identity?.description
  }
}

extension String {
  fileprivate init(_ utf8: Span<UInt8>) {
    var bytes: [UInt8] = []
    for index in utf8.indices { bytes.append(utf8[index]) }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
