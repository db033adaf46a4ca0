extension JSONWriter {
  /// A text; null for nil.
  package mutating func member(_ name: String, _ text: String?) {
    key(name)
    string(text)
  }

  package mutating func member(_ name: String, _ count: Int) {
    key(name)
    integer(count)
  }

  /// The shortest number that reads back as the same value, and never a negative zero; null for
  /// NaN and infinities.
  package mutating func member<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _ name: String, number: Value
  ) {
    key(name)
    self.number(number + 0)
  }

  /// A number as formatted by the caller, such as with a count of decimals; null for nil.
  package mutating func member(_ name: String, written number: String?) {
    key(name)
    self.number(written: number)
  }

  package mutating func member(_ name: String, _ numbers: some Sequence<Int>) {
    key(name)
    array { json in for number in numbers { json.integer(number) } }
  }

  package mutating func member(_ name: String, _ texts: some Sequence<String>) {
    key(name)
    array { json in for text in texts { json.string(text) } }
  }
}
