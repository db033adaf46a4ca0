import LivePipelines
import PathLoss
import Support

/// Reads a time in nanoseconds.
func time(
  _ text: String, _ option: String, _ range: DurationRange = .any
) throws(RSSIError) -> Int64 { try range.nanoseconds(text, option) }

/// Reads `x,y` or `x,y,z` in metres.
func parsedPlace(_ text: String) throws -> RecordLabels.Place {
  let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
    Double(part.hasSuffix("m") ? part.dropLast() : part)
  }
  guard numbers.count == 2 || numbers.count == 3, let x = numbers[0], let y = numbers[1],
    x.isFinite, y.isFinite, numbers.last.map({ $0?.isFinite == true }) == true
  else {
    throw RSSIError(.usage, "\"\(text)\" is not a place: write x,y or x,y,z in metres")
  }
  return RecordLabels.Place(x: x, y: y, z: numbers.count == 3 ? numbers[2] ?? .nan : .nan)
}

/// Reads a distance such as `2m`, `2`, `50cm`, in metres.
func parsedDistance(_ text: String) throws -> Double {
  let scales: [(suffix: String, metres: Double)] = [
    ("cm", 0.01), ("mm", 0.001), ("m", 1), ("", 1),
  ]
  for scale in scales where text.hasSuffix(scale.suffix) {
    guard let number = Double(text.dropLast(scale.suffix.count)), number.isFinite, number > 0,
      number * scale.metres < 1e5
    else { break }
    guard number * scale.metres >= Station.nearest else {
      throw RSSIError(.usage, "\"\(text)\" is nearer than 1 cm: write metres, such as 2m")
    }
    return number * scale.metres
  }
  throw RSSIError(.usage, "\"\(text)\" is not a distance: write metres, such as 2m")
}
