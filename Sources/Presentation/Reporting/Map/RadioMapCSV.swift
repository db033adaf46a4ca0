import Evaluation
import Geometry
import Positioning
package import Support
package import TracePipelines
package import TraceStore

/// A file to write a radio map to, in the form that its name ends in.
package enum RadioMapForm {
  /// The page with the map on the floor plan.
  case page(String)
  /// One line per cell: the expected error.
  case cells(String)
  /// One line per cell and anchor: the expected level and its deviation.
  case levels(String)

  /// - Throws: `RSSIError` for a name that ends in no known form.
  package init(path: String) throws(RSSIError) {
    let name = path.lowercased()
    switch true {
    case name.hasSuffix(".html"): self = .page(path)
    case name.hasSuffix(".levels.csv"): self = .levels(path)
    case name.hasSuffix(".csv"): self = .cells(path)
    default:
      throw RSSIError(
        .usage,
        "`report` \(path): name a file that ends in .html (page), .csv (expected error per cell) or "
          + ".levels.csv (level per cell and anchor)")
    }
  }

  /// Writes the map; the file appears under its name only when it is whole.
  package func write(
    _ mapped: MappedSite, _ report: RadioMapReport, by tool: ToolIdentity
  ) throws {
    switch self {
    case .page(let path):
      try writeWhole(Array(RadioMapPage(mapped, report, by: tool).text.utf8), to: path)
    case .cells(let path):
      try writeWhole(to: path) { write in try RadioMapCSV(mapped).writeCells(to: write) }
    case .levels(let path):
      try writeWhole(to: path) { write in try RadioMapCSV(mapped).writeLevels(to: write) }
    }
  }
}

/// The cells of a radio map as CSV, row by row from the lower left corner, floor by floor.
///
/// Lengths in metres, levels in dBm; empty fields for unknown values. Quoting as in RFC 4180, lines
/// end with a line feed. See docs/radio-map.md.
struct RadioMapCSV {
  private typealias Cell = (
    floor: String, content: MappedSite.Floor, number: Int, place: Point
  )
  private typealias Level = (name: String, layer: RadioMapRaster.Layer, cell: Int)

  private let shared: Shared<MappedSite>
  private var mapped: MappedSite { shared.value }
  private let place: CSVColumns<Cell>
  private let cell: CSVColumns<Cell>

  init(_ mapped: MappedSite) {
    shared = Shared(mapped)
    let isOfFloors = !mapped.site.floors.isEmpty
    place = (isOfFloors ? Self.floor : [:]) + Self.coordinates
    cell = place + Self.error + (isOfFloors ? Self.rightFloor : [:]) + Self.received
  }

  private static let floor: CSVColumns<Cell> = ["floor": { CSV.text($0.floor) }]

  private static let coordinates: CSVColumns<Cell> = [
    "x_m": { CSV.number($0.place.x, 4) }, "y_m": { CSV.number($0.place.y, 4) },
  ]

  private static let error: CSVColumns<Cell> = [
    "expected_error_m": { CSV.number($0.content.errors[$0.number], 4) }
  ]

  private static let rightFloor: CSVColumns<Cell> = [
    "floor_right": { CSV.number($0.content.rightFloor[$0.number], 4) }
  ]

  private static let received: CSVColumns<Cell> = [
    "anchors_received": { CSV.number($0.content.received[$0.number], 4) }
  ]

  private static let level: CSVColumns<Level> = [
    "anchor": { $0.name }, "level_dbm": { CSV.number($0.layer.level[$0.cell], 4) },
    "deviation_db": { CSV.number($0.layer.deviation[$0.cell], 4) },
    "explained": { CSV.number($0.layer.explained[$0.cell], 4) },
  ]

  /// Writes one line per cell, piece by piece.
  func writeCells(to write: (String) throws -> Void) rethrows {
    try write("\(cell.names)\n")
    for floor in mapped.floors.indices {
      try forEachCell(of: floor) { try write("\(cell.fields($0))\n") }
    }
  }

  /// Writes one line per cell and received anchor, piece by piece.
  func writeLevels(to write: (String) throws -> Void) rethrows {
    try write("\(place.names),\(Self.level.names)\n")
    for floor in mapped.floors.indices {
      let layers = mapped.anchors.enumerated().compactMap { number, name in
        mapped.layer(ofAnchor: number, on: floor).map { (name: CSV.text(name), layer: $0) }
      }
      try forEachCell(of: floor) { cell in
        let start = place.fields(cell)
        for (name, layer) in layers where layer.level[cell.number].isFinite {
          try write("\(start),\(Self.level.fields((name, layer, cell.number)))\n")
        }
      }
    }
  }

  /// Calls a closure with each cell of a floor, in a building with those in which people can be.
  private func forEachCell(of floor: Int, _ body: (Cell) throws -> Void) rethrows {
    let content = mapped.floors[floor]
    let name = mapped.site.floors.isEmpty ? "" : mapped.site.floors[floor]
    for (number, place) in content.grid.places.enumerated()
    where content.rightFloor.isEmpty || content.received[number].isFinite {
      try body((name, content, number, place))
    }
  }
}
