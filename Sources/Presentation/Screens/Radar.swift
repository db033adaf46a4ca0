import NumericalMethods
import Proximity
import RealModule

/// Beacons around a receiver on rings of distance.
///
/// Levels show the distance and not the direction: directions only keep the beacons apart. Each
/// keeps its own as long as the screen exists, a golden angle from the one before, so that nothing
/// jumps.
struct Radar {
  let borders: ZoneBorders
  let beacons: [ScreenBeacon]

  /// The maximum number of marks; more would only cover each other.
  private static let most = 60

  private static let remarks = [
    "distances in m; directions are arbitrary", "metres; no directions", "no directions",
  ]

  private struct Centre {
    let x, y, radius: Double
  }

  func draw(on canvas: inout Canvas, in area: ScreenArea) {
    var area = area
    let remark = area.takeBottom(1)
    guard area.rows >= 5, area.columns >= 10 else { return }
    let near = beacons.lazy.filter { $0.distance?.isFinite == true }.prefix(Self.most)
    let scale = RadarScale(borders: borders, distances: near.compactMap(\.distance))
    let (width, height) = (Double(area.columns * 2), Double(area.rows * 4))
    let centre = Centre(x: width / 2, y: height / 2, radius: min(width, height) / 2 - 1.01)
    var dots = DotGrid(columns: area.columns, rows: area.rows)
    for ring in scale.rings {
      drawRing(scale.share(of: ring) * centre.radius, centre, .quiet, &dots)
    }
    // The nearest last, so that it is visible among beacons at one place.
    let placed = Array(near).reversed()
    for beacon in placed { drawInterval(of: beacon, scale, centre, &dots) }
    dots.draw(on: &canvas, row: area.row, column: area.column)
    label(scale, centre, area, on: &canvas)
    canvas.put(
      canvas.isUnicode ? "◉" : "+", row: area.row + Int(centre.y) / 4,
      column: area.column + Int(centre.x) / 2, .strong)
    for beacon in placed { mark(beacon, scale, centre, area, on: &canvas) }
    let words = Self.remarks.first { $0.count <= remark.columns } ?? ""
    canvas.put(
      words, row: remark.row, column: remark.column + (remark.columns - words.count) / 2, .quiet)
  }

  private func drawRing(
    _ radius: Double, _ centre: Centre, _ style: ScreenStyle, _ dots: inout DotGrid
  ) {
    let steps = max(Int(radius * 2 * .pi * 1.5), 8)
    for step in 0..<steps {
      let angle = 2 * .pi * Double(step) / Double(steps)
      dots.set(x: centre.x + radius * .cos(angle), y: centre.y + radius * .sin(angle), style)
    }
  }

  /// Draws the 95 % interval in the colour of its mark; rings are grey.
  private func drawInterval(
    of beacon: ScreenBeacon, _ scale: RadarScale, _ centre: Centre, _ dots: inout DotGrid
  ) {
    guard let interval = beacon.interval else { return }
    let angle = Self.direction(of: beacon)
    let from = scale.share(of: interval.lower) * centre.radius
    let to = scale.share(of: interval.upper) * centre.radius
    for radius in stride(from: from, through: max(to, from), by: 2) {
      dots.set(
        x: centre.x + radius * .cos(angle), y: centre.y + radius * .sin(angle),
        ScreenStyle(beacon.zone))
    }
  }

  /// Writes the distance of each ring above the middle.
  private func label(
    _ scale: RadarScale, _ centre: Centre, _ area: ScreenArea, on canvas: inout Canvas
  ) {
    var used: Set<Int> = [Int(centre.y) / 4]
    for (index, ring) in scale.rings.enumerated().reversed() {
      let row = Int(max(centre.y - scale.share(of: ring) * centre.radius, 0)) / 4
      guard used.insert(row).inserted else { continue }
      let whole = ring == ring.rounded()
      let text = whole ? bounded(ring, 0) : bounded(ring, 1)
      canvas.put(
        text, row: area.row + row, column: area.column + Int(centre.x) / 2 - text.count / 2,
        Self.style(ofRing: index))
    }
  }

  private func mark(
    _ beacon: ScreenBeacon, _ scale: RadarScale, _ centre: Centre, _ area: ScreenArea,
    on canvas: inout Canvas
  ) {
    let radius = scale.share(of: beacon.distance ?? 0) * centre.radius
    let angle = Self.direction(of: beacon)
    let column = Int(centre.x + radius * .cos(angle)) / 2
    let row = Int(centre.y + radius * .sin(angle)) / 4
    let text = beacon.mark
    canvas.put(
      text, row: area.row + min(row, area.rows - 1),
      column: area.column + min(max(column, 0), area.columns - text.count), ScreenStyle(beacon.zone)
    )
  }

  private static func style(ofRing index: Int) -> ScreenStyle {
    index == 0 ? .immediate : index == 1 ? .near : .quiet
  }

  private static func direction(of beacon: ScreenBeacon) -> Double {
    let golden = Double.pi * (3 - 5.0.squareRoot())
    return 0.5 + (Double(beacon.number) * golden).truncatingRemainder(dividingBy: 2 * .pi)
  }
}

/// The distance from the middle of a radar: logarithmic, as is the resolution of levels.
struct RadarScale: Equatable {
  /// The distances of the rings in metres: the borders of the zones, and outward 10, 30, 100, …
  let rings: [Double]
  private let innermost: Double

  private static let outer: [Double] = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000]

  init(borders: ZoneBorders, distances: some Sequence<Double>) {
    innermost = borders.immediate / 3
    let farthest = distances.filter(\.isFinite).max() ?? 0
    let outer = Self.outer.filter { $0 >= borders.near * 2 }
    let last = outer.firstIndex { $0 >= farthest } ?? outer.indices.last
    rings = [borders.immediate, borders.near] + (last.map { outer[...$0] } ?? [])
  }

  /// Returns 0 in the middle, 1 at the last ring.
  func share(of distance: Double) -> Double {
    guard let last = rings.last, distance > innermost else { return 0 }
    return min(.log(distance / innermost) / .log(last / innermost), 1)
  }
}

/// A picture of dots, two columns and four rows of them in each character (braille), which makes
/// them nearly square; in ASCII one dot per character.
struct DotGrid {
  let columns: Int
  let rows: Int
  private var dots: [UInt8]
  private var styles: [ScreenStyle]

  /// - Parameters:
  ///   - columns: the width in characters.
  ///   - rows: the height in characters.
  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(columns, 0), max(rows, 0))
    dots = Array(repeating: 0, count: self.columns * self.rows)
    styles = Array(repeating: .plain, count: self.columns * self.rows)
  }

  /// Sets a dot, counted from the top left; a place outside is ignored.
  mutating func set(x: Double, y: Double, _ style: ScreenStyle) {
    guard x >= 0, y >= 0, x < Double(columns * 2), y < Double(rows * 4) else { return }
    let (x, y) = (Int(x), Int(y))
    let index = y / 4 * columns + x / 2
    // U+2800: dots 1 2 3 7 down the left, 4 5 6 8 down the right.
    dots[index] |= [0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80][x % 2 * 4 + y % 4]
    styles[index] = style
  }

  func draw(on canvas: inout Canvas, row: Int, column: Int) {
    for index in dots.indices where dots[index] != 0 {
      let braille = Unicode.Scalar(0x2800 + UInt32(dots[index])).map(String.init) ?? "."
      canvas.put(
        canvas.isUnicode ? braille : ".", row: row + index / columns,
        column: column + index % columns, styles[index])
    }
  }
}
