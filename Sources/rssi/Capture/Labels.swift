import Advertising
import PathLoss
import Sightings
import Support

/// What a person knows while capturing, written into the trace as truth.
struct Labels {
  /// A place in metres; z may be unknown.
  struct Place: Equatable {
    var x: Double
    var y: Double
    var z = Double.nan
  }

  /// Where the receiver is.
  var receiver: Place?
  /// Where beacons are, by identity.
  var beacons: [(identity: String, place: Place)] = []
  /// How far every beacon that is kept is from the receiver, in metres.
  var distance: Double?
  /// How the device is held.
  var pose = ""

  /// Reads `x,y` or `x,y,z` in metres.
  static func place(_ text: String) throws -> Place {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(part.hasSuffix("m") ? part.dropLast() : part)
    }
    guard numbers.count == 2 || numbers.count == 3, let x = numbers[0], let y = numbers[1],
      x.isFinite, y.isFinite, numbers.last.map({ $0?.isFinite == true }) == true
    else {
      throw RSSIError(.usage, "\"\(text)\" is not a place: write x,y or x,y,z in metres")
    }
    return Place(x: x, y: y, z: numbers.count == 3 ? numbers[2] ?? .nan : .nan)
  }

  /// Reads a distance such as `2m`, `2`, `50cm`.
  static func distance(_ text: String) throws -> Double {
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

  /// Reads `IDENTITY=x,y,z`, or a place alone where `--beacon` means one beacon only.
  static func beaconPlace(_ text: String, of patterns: [BeaconPattern]) throws -> (String, Place) {
    guard let equals = text.lastIndex(of: "=") else {
      guard patterns.count == 1, let identity = patterns[0].identity else {
        throw RSSIError(
          .usage,
          "--beacon-at \(text) does not say which beacon: write IDENTITY=\(text), or one --beacon "
            + "with major and minor"
        )
      }
      return (identity.description, try place(text))
    }
    let name = String(text[..<equals])
    guard let identity = BeaconPattern(name)?.identity else {
      throw RSSIError(
        .usage, "\"\(name)\" is not one beacon: write it as `rssi export` prints it")
    }
    return (identity.description, try place(String(text[text.index(after: equals)...])))
  }

  /// Tells a fresh intake what is known from the start.
  func begin<Sink: SightingSink & ~Copyable>(_ intake: inout Intake<Sink>) throws {
    intake.standing = distance.map { ($0, pose) }
    for (identity, place) in beacons {
      let index = try intake.add(identity, role: .beacon)
      intake.update(.beacon, index) { ($0.x, $0.y, $0.z) = (place.x, place.y, place.z) }
    }
  }
}
