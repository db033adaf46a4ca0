extension AlgorithmSettings {
  /// Takes how many of the nearest anchors count: a whole number from 3, or `all`, which is
  /// `Int.max`.
  mutating func anchorCount(
    _ name: String, or fallback: Int
  ) throws(AlgorithmError) -> Int {
    guard let value = take(name) else { return fallback }
    if value == "all" { return .max }
    guard let count = Int(value), count >= 3 else {
      throw AlgorithmError(
        description: "\(name)=\(value) in \"\(text)\": it must be a whole number from 3, or all")
    }
    return count
  }
}
