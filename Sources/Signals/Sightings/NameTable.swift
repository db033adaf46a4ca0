/// Names numbered in order of first appearance, looked up by their UTF-8 bytes without a String.
package struct NameTable: Sendable {
  package private(set) var names: [String] = []
  private var table = ByteTable()

  package init() {}

  package var count: Int { names.count }

  /// The number of a name, which is added if it is new.
  package mutating func intern(_ utf8: Span<UInt8>) -> (index: Int, isNew: Bool) {
    let result = table.intern(utf8)
    if result.isNew {
      var bytes: [UInt8] = []
      for i in utf8.indices { bytes.append(utf8[i]) }
      names.append(String(decoding: bytes, as: UTF8.self))
    }
    return result
  }

  /// The number of a name, which is added if it is new.
  package mutating func intern(_ name: String) -> (index: Int, isNew: Bool) {
    let bytes = Array(name.utf8)
    return intern(bytes.span)
  }

  /// The number of a name, or nil if it is not there.
  package func find(_ name: String) -> Int? {
    let bytes = Array(name.utf8)
    return find(bytes.span)
  }

  /// The number of a name, or nil if it is not there.
  package func find(_ utf8: Span<UInt8>) -> Int? { table.find(utf8) }
}
