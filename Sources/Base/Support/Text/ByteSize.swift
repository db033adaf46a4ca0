/// Returns the bytes of a size such as `500KB`, `64MiB` or `1GB`, or `nil` for anything else.
package func byteSize(_ text: String) -> UInt64? {
  let sizes: [(suffix: String, bytes: Double)] = [
    ("KIB", 1024), ("MIB", 1_048_576), ("GIB", 1_073_741_824), ("KB", 1e3), ("MB", 1e6),
    ("GB", 1e9),
  ]
  guard let size = sizes.first(where: { text.uppercased().hasSuffix($0.suffix) }),
    let number = Double(text.dropLast(size.suffix.count)), number * size.bytes >= 1, number < 1e9
  else { return nil }
  return UInt64(number * size.bytes)
}
