import Advertising
import ArgumentParser
import Geometry
import Positioning
import Registries
import Screens
import Sites
import Support

struct RegistryCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find duplicates and impossible values in a registry.",
    discussion: """
      Errors exit with code 65: unreadable entries, two entries with one identity, implausible \
      powers. Warnings do not: two entries with one name or position, implausible ranges, positions \
      outside every room of --site.
      """)

  @Argument(help: "Registry, JSON or CSV (default: the stored registry).")
  var file: String?

  @Option(help: "Site file (TOML) whose rooms should contain the beacons.")
  var site: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let path = try registryToRead(file)
    let document = try RegistryDocument(path: path)
    let check = try RegistryCheck(document, isInRoom: try site.map(roomTest))
    let errors = check.count(.error)
    let warnings = check.count(.warning)
    if reporting.json {
      try StandardOutput.write(jsonText(json(check, document, path)))
    } else {
      for finding in check.findings {
        let padding = finding.severity == .error ? "    " : "  "
        try StandardOutput.show(
          finding.severity.rawValue + padding + finding.message.printable + "\n")
      }
      try StandardOutput.show(
        "\(path.printable): \(counted(document.beacons.count, "beacon")), "
          + "\(counted(errors, "error")), \(counted(warnings, "warning"))\n"
      )
    }
    guard errors == 0 else {
      throw RSSIError(
        .badInput, "\(path) has \(counted(errors, "error")): correct what is listed")
    }
  }

  /// Whether a place is in a room of a site, or on a wall of one.
  private func roomTest(_ path: String) throws -> (Double, Double) throws -> Bool {
    let rooms = try Site(path: path).rooms
    guard !rooms.isEmpty else {
      throw RSSIError(.badInput, "\(path) has no rooms: nothing says where beacons should be")
    }
    return { x, y in
      let place = Point(x: x, y: y)
      return try rooms.contains { room in
        try room.contains(place) || distance(from: place, toOutline: room.polygon) <= wallAllowance
      }
    }
  }

  private func json(_ check: RegistryCheck, _ document: RegistryDocument, _ path: String)
    -> JSONValue
  {
    .object([
      "path": .string(path), "beacons": .integer(document.beacons.count),
      "errors": .integer(check.count(.error)), "warnings": .integer(check.count(.warning)),
      "findings": .array(
        check.findings.map { finding in
          .object([
            "severity": .string(finding.severity.rawValue), "kind": .string(finding.kind.rawValue),
            "places": .array(finding.places.map(JSONValue.string)),
            "beacons": .array(finding.beacons.map { .string("\($0)") }),
            "message": .string(finding.message),
          ])
        }),
    ])
  }
}

/// Metres: beacons hang on walls, and outlines are drawn along either side of one.
private let wallAllowance = 0.3

private func distance(from place: Point, toOutline corners: [Point]) -> Double {
  zip(corners, corners.dropFirst() + corners.prefix(1)).map { start, end in
    let along = (x: end.x - start.x, y: end.y - start.y)
    let length = along.x * along.x + along.y * along.y
    let share = ((place.x - start.x) * along.x + (place.y - start.y) * along.y) / length
    let t = length > 0 ? min(1, max(0, share)) : 0
    let (dx, dy) = (place.x - start.x - t * along.x, place.y - start.y - t * along.y)
    return (dx * dx + dy * dy).squareRoot()
  }.min() ?? .infinity
}
