import Glibc

/// A number with a given count of decimals; a dash for nil and for what is not finite.
package func decimal(_ value: Double?, _ decimals: Int) -> String {
  guard let value, value.isFinite else { return "–" }
  // As many digits as the largest number has, its sign and the point.
  let text = String(unsafeUninitializedCapacity: 320 + decimals) { buffer in
    buffer.withMemoryRebound(to: CChar.self) { text in
      withVaList([value]) { Int(vsnprintf(text.baseAddress, text.count, "%.\(decimals)f", $0)) }
    }
  }
  return text.hasPrefix("-") && !text.contains(where: { "123456789".contains($0) })
    ? String(text.dropFirst()) : text
}

/// A number with six significant digits, such as `6.76543e-08`; a dash for nil and for what is not
/// finite.
package func significant(_ value: Double?) -> String {
  guard let value, value.isFinite else { return "–" }
  return String(unsafeUninitializedCapacity: 32) { buffer in
    buffer.withMemoryRebound(to: CChar.self) { text in
      withVaList([value]) { Int(vsnprintf(text.baseAddress, text.count, "%.6g", $0)) }
    }
  }
}

/// A number in the fewest digits that read back as the same value; whole numbers without a point.
package func plain<Value: BinaryFloatingPoint & LosslessStringConvertible>(
  _ value: Value
) -> String {
  value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
}

/// Names for a message: the first ones, and how many there are where that is not all.
package func listed(_ names: some Collection<String>, _ most: Int = 8) -> String {
  guard !names.isEmpty else { return "none" }
  return names.prefix(most).joined(separator: ", ")
    + (names.count > most ? ", … (\(names.count))" : "")
}

/// A count with its noun, such as `1 beacon` or `2 beacons`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Bytes in megabytes, such as `12.3 MB`.
package func megabytes(_ bytes: UInt64) -> String { "\(decimal(Double(bytes) / 1e6, 1)) MB" }
