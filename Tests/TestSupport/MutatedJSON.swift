/// Replaces, removes, repeats or inserts a few bytes, or swaps a value for one of another kind.
public func mutatedJSON(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
  var bytes = bytes
  for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let end = min(bytes.count, place + Int.random(in: 0...12, using: &generator))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 3: bytes = Array(bytes.prefix(place))
    default:
      let values = ["null", "[]", "{}", "-1e999", "1e18", "\"\"", "true", "\\u0000", "-0", "99999"]
      bytes.replaceSubrange(place..<end, with: values.randomElement(using: &generator)!.utf8)
    }
  }
  return bytes
}
