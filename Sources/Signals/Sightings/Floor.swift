internal import Support

/// A floor of a building, on which traces, true places and nodes are.
///
/// Coordinates count in the floor's own plane, and heights from the floor. The shifts of floors move
/// their planes into one frame, that of the building.
public struct Floor: Equatable, Sendable {
  /// The name of the floor.
  public var name: String
  /// The number of storeys above the ground floor; `nil` if it is unknown.
  public var level: Int?
  /// The height above the ground in metres; NaN if it is unknown.
  public var height = Double.nan
  /// The x coordinate of the floor's origin in the building's frame, in metres; NaN if it is
  /// unknown.
  public var shiftX = Double.nan
  /// The y coordinate of the floor's origin in the building's frame, in metres; NaN if it is
  /// unknown.
  public var shiftY = Double.nan

  /// Creates a floor with the level that its name contains, if any.
  public init(name: String) {
    self.name = name
    level = Self.level(ofName: name)
  }

  /// The accepted levels.
  package static let levels = -1000...1000

  /// Returns the level in the name of a floor: of a plain number, or of one after F or L (floor,
  /// level) or B (basement, below the ground). Returns `nil` for any other name.
  package static func level(ofName name: String) -> Int? {
    let sign: Int
    var digits = name[...]
    switch name.first?.lowercased() {
    case "f", "l": (sign, digits) = (1, digits.dropFirst())
    case "b": (sign, digits) = (-1, digits.dropFirst())
    case "-": (sign, digits) = (-1, digits.dropFirst())
    default: sign = 1
    }
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = Int(digits), levels.contains(number)
    else { return nil }
    return sign * number
  }

  /// Returns a Boolean value that is true if two floors are equal, including unknown values.
  package static func isSame(_ a: Floor, _ b: Floor) -> Bool {
    a.name == b.name && a.level == b.level && Sightings.isSame(a.height, b.height)
      && Sightings.isSame(a.shiftX, b.shiftX) && Sightings.isSame(a.shiftY, b.shiftY)
  }

  /// Returns the property in which two descriptions of a floor contradict each other, with both
  /// values as text, or `nil` if there is none; an unknown value contradicts none.
  package func contradiction(to other: Floor) -> (property: String, own: String, its: String)? {
    func text(_ number: Double) -> String? { number.isNaN ? nil : "\(number) m" }
    let properties = [
      ("level", level.map(String.init), other.level.map(String.init)),
      ("height", text(height), text(other.height)),
      ("shift in x", text(shiftX), text(other.shiftX)),
      ("shift in y", text(shiftY), text(other.shiftY)),
    ]
    for case (let property, let own?, let its?) in properties where own != its {
      return (property, own, its)
    }
    return nil
  }

  /// Takes the values that are unknown here from another description of the floor.
  package mutating func complete(with other: Floor) {
    level = level ?? other.level
    if height.isNaN { height = other.height }
    if shiftX.isNaN { shiftX = other.shiftX }
    if shiftY.isNaN { shiftY = other.shiftY }
  }
}

extension Catalogue {
  /// Returns the row of the floor on which a true place is: its own, else that of its trace.
  public func floor(of point: TruthPoint) -> UInt16? { point.floor ?? traceFloors[point.trace] }

  /// Returns the name of a floor, or `nil` for none.
  package func floorName(_ floor: UInt16?) -> String? {
    floor.flatMap { floors.indices.contains(Int($0)) ? floors[Int($0)].name : nil }
  }

  /// Throws if the truth has a node on two floors at one instant of a trace.
  func requireUsableFloors() throws(RSSIError) {
    guard floors.count > 1 else { return }
    struct Instant: Hashable {
      var (time, role, node, trace): (Int64, NodeRole, UInt32, UInt16)
    }
    var known: [Instant: UInt16] = [:]
    for point in truth {
      guard let floor = floor(of: point) else { continue }
      let instant = Instant(
        time: point.time, role: point.role, node: point.node, trace: point.trace)
      guard let other = known.updateValue(floor, forKey: instant), other != floor else { continue }
      let node = (point.role == .beacon ? beacons : receivers)[Int(point.node)].id
      throw RSSIError(
        .badInput,
        "\(node) is on floor \"\(floorName(other) ?? "")\" and on floor "
          + "\"\(floorName(floor) ?? "")\" at \(Timestamp.iso8601(point.time)) of trace "
          + "\"\(traces[Int(point.trace)])\"",
        advice: "keep one row of truth for each instant")
    }
  }
}
