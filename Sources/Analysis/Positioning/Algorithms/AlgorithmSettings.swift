import Geometry

/// The parameters of one algorithm as written, each taken out when it is read.
struct AlgorithmSettings {
  /// The whole text, such as `weighted-centroid:degree=1`.
  let text: String
  private var written: [String: String] = [:]
  private var order: [String] = []

  /// - Throws: a sentence about what is not `name=value`, or is there twice.
  init(_ text: String) throws(AlgorithmError) {
    self.text = text
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    for pair in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, written[String(sides[0])] == nil else {
        throw AlgorithmError(
          description: "\"\(pair)\" in \"\(text)\": write parameters once each, as name=value")
      }
      written[String(sides[0])] = String(sides[1])
      order.append(String(sides[0]))
    }
  }

  /// The names that have not been read yet, in the order in which they were written.
  var unread: [String] { order.filter { written[$0] != nil } }

  /// Takes the text of a parameter; nil where it is not written.
  mutating func take(_ name: String) -> String? { written.removeValue(forKey: name) }

  /// Takes a number in a range, or its value where none is written.
  mutating func number(
    _ name: String, or fallback: Double, in range: ClosedRange<Double>
  ) throws(AlgorithmError) -> Double {
    guard let value = take(name) else { return fallback }
    guard let number = Double(value), range.contains(number) else {
      throw AlgorithmError(
        description:
          "\(name)=\(value) in \"\(text)\": it must be a number from \(range.lowerBound) to "
          + "\(range.upperBound)"
      )
    }
    return number
  }

  /// Takes one of some words.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, or fallback: Choice
  ) throws(AlgorithmError) -> Choice {
    guard let value = take(name) else { return fallback }
    guard let choice = Choice(rawValue: value) else {
      throw AlgorithmError(
        description: "\(name)=\(value) in \"\(text)\": it must be "
          + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  /// Takes yes or no.
  mutating func flag(_ name: String, or fallback: Bool) throws(AlgorithmError) -> Bool {
    guard let value = take(name) else { return fallback }
    guard value == "yes" || value == "no" else {
      throw AlgorithmError(description: "\(name)=\(value) in \"\(text)\": it must be yes or no")
    }
    return value == "yes"
  }
}
