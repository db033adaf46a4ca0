/// A number with so many decimals, half away from zero; a dash where it is none or not finite.
///
/// The same text on every machine, whatever its language, and never a negative zero.
package func decimals(_ value: Double?, _ places: Int) -> String {
  guard let value, value.isFinite else { return "–" }
  let scale = powersOfTen[places]
  let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
  // Beyond the whole numbers that a Double holds there are no decimals to round.
  guard abs(scaled) < 0x1p53 else { return "\(value)" }
  let whole = Int64(scaled)
  let digits = String(whole.magnitude)
  let sign = whole < 0 ? "-" : ""
  guard places > 0 else { return sign + digits }
  let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
  return sign + padded.dropLast(places) + "." + padded.suffix(places)
}

/// A share as a percentage with one decimal.
package func percent(_ share: Double?) -> String {
  guard let share, share.isFinite else { return "–" }
  return decimals(share * 100, 1) + " %"
}

/// A whole number with thin spaces between groups of three digits, from five digits on.
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

private let powersOfTen: [Double] = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
