import Glibc

/// Formats a number with a given number of decimals, rounded half away from zero: `-60.125` is
/// `-60.13`.
///
/// It rounds the shortest decimal that reads back as the same value, as in JSON: `1.005` is `1.01`,
/// although the nearest binary number is below it. The text is the same on every machine, and never
/// a negative zero. From 2⁵⁴ on, beyond all decimals, the text is the shortest number, which has an
/// exponent. `nil`, NaN and infinities are a dash.
package func decimal(_ value: Double?, _ places: Int) -> String {
  guard let value, value.isFinite else { return "–" }
  guard value.magnitude < 0x1p54 else { return plain(value) }
  let scaled = value.magnitude * (places < powersOfTen.count ? powersOfTen[places] : .infinity)
  // The rounding errors of the product are smaller than this distance from a tie.
  let isCertain = scaled < 0x1p40 && abs(scaled - scaled.rounded(.down) - 0.5) > 1e-3
  let digits =
    isCertain
    ? String(UInt64(scaled.rounded())) : roundedDigits(of: value.magnitude, places: places)
  let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
  let isZero = digits.utf8.allSatisfy { $0 == UInt8(ascii: "0") }
  return (value < 0 && !isZero ? "-" : "") + padded.dropLast(places)
    + (places > 0 ? "." + padded.suffix(places) : "")
}

/// Returns the digits of a number as a multiple of its last decimal, rounded half up.
private func roundedDigits(of magnitude: Double, places: Int) -> String {
  let parts = magnitude.description.utf8.split(separator: UInt8(ascii: "e"))
  let mantissa = parts[0].split(separator: UInt8(ascii: "."))
  let exponent = parts.count > 1 ? Int(Substring(parts[1])) ?? 0 : 0
  let digits = Array(mantissa.joined())
  let kept = mantissa[0].count + exponent + places
  guard kept >= 0 else { return "0" }
  var rounded = Array(digits.prefix(kept))
  rounded += repeatElement(UInt8(ascii: "0"), count: kept - rounded.count)
  if kept < digits.count, digits[kept] >= UInt8(ascii: "5") {
    let nines = rounded.reversed().prefix { $0 == UInt8(ascii: "9") }.count
    rounded.replaceSubrange(
      (kept - nines)..., with: repeatElement(UInt8(ascii: "0"), count: nines))
    if nines < kept {
      rounded[kept - nines - 1] += 1
    } else {
      rounded.insert(UInt8(ascii: "1"), at: 0)
    }
  }
  return String(decoding: rounded, as: UTF8.self)
}

private let powersOfTen: [Double] = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

/// Formats a share as a percentage with one decimal.
package func percent(_ share: Double?) -> String {
  guard let share, share.isFinite else { return "–" }
  return decimal(share * 100, 1) + " %"
}

/// Formats a whole number with thin spaces between groups of three digits, from five digits on.
package func grouped(_ number: Int) -> String {
  let digits = String(number.magnitude)
  guard digits.count > 4 else { return String(number) }
  var text = ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index).isMultiple(of: 3) { text += "\u{2009}" }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + text
}

/// Formats a number with six significant digits, such as `6.76543e-08`; a dash for `nil` and values
/// that are not finite.
package func significant(_ value: Double?) -> String {
  guard let value, value.isFinite else { return "–" }
  return String(unsafeUninitializedCapacity: 32) { buffer in
    buffer.withMemoryRebound(to: CChar.self) { text in
      withVaList([value]) { Int(vsnprintf(text.baseAddress, text.count, "%.6g", $0)) }
    }
  }
}

/// Formats a number in the fewest digits that read back as the same value; whole numbers without a
/// point.
package func plain<Value: BinaryFloatingPoint & LosslessStringConvertible>(
  _ value: Value
) -> String {
  value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
}

/// Formats names for a message: the first ones, with the total number if there are more.
package func listed(_ names: some Collection<String>, _ most: Int = 8) -> String {
  guard !names.isEmpty else { return "none" }
  return names.prefix(most).joined(separator: ", ")
    + (names.count > most ? ", … (\(names.count))" : "")
}

/// Formats a count with its noun, such as `1 beacon` or `2 beacons`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Formats bytes in megabytes, such as `12.3 MB`.
package func megabytes(_ bytes: UInt64) -> String { "\(decimal(Double(bytes) / 1e6, 1)) MB" }
