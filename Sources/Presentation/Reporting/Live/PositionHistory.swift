import Geometry
import Positioning
import Sightings
import Support
import TracePipelines

/// The latest positions of all nodes, in a fixed amount of memory: some 48 bytes a position.
struct PositionHistory {
  private struct Row {
    var time: Int64
    var node: Int32
    /// The number of the room's name; -1 = none.
    var room: Int32
    /// Metres; NaN where there was no position.
    var x: Float
    var y: Float
    /// Of the 95 % ellipse; NaN without one.
    var semiMajor: Float
    var semiMinor: Float
    var degrees: Float
  }

  private var rows: [Row] = []
  /// Where the oldest row is, once there is no room for more.
  private var oldest = 0
  private let most: Int
  private var nodes = Names()
  private var rooms = Names()

  /// - Parameter most: positions; more replace the oldest.
  init(most: Int = 200_000) { self.most = most }

  private struct Names {
    private(set) var all: [String] = []
    private var numbers: [String: Int32] = [:]
    private static let most = 10_000

    mutating func number(of name: String) -> Int32? {
      if let known = numbers[name] { return known }
      guard all.count < Self.most else { return nil }
      numbers[name] = Int32(all.count)
      all.append(name)
      return Int32(all.count - 1)
    }
  }

  /// - Parameter name: what people call the node.
  mutating func append(_ position: LocatedPosition, name: String) {
    guard let node = nodes.number(of: name) else { return }
    let (place, ellipse) = (position.estimate?.position, position.ellipse)
    let row = Row(
      time: position.time, node: node,
      room: position.room.flatMap { rooms.number(of: $0) } ?? -1,
      x: Float(place?.x ?? .nan), y: Float(place?.y ?? .nan),
      semiMajor: Float(ellipse?.semiMajor ?? .nan), semiMinor: Float(ellipse?.semiMinor ?? .nan),
      degrees: Float((ellipse?.angle ?? .nan) * 180 / .pi))
    guard rows.count >= most else {
      rows.append(row)
      return
    }
    rows[oldest] = row
    oldest = (oldest + 1) % most
  }

  /// The latest positions within times, the oldest first, as columns.
  func text(_ times: ClosedRange<Int64>, of node: String?, atMost limit: Int) -> String {
    let wanted = node.map { name in nodes.all.firstIndex(of: name).map(Int32.init) ?? -1 }
    var chosen: [Row] = []
    for index in rows.indices {
      let row = rows[(oldest + rows.count - 1 - index) % rows.count]
      guard chosen.count < limit else { break }
      if times.contains(row.time), wanted == nil || row.node == wanted { chosen.append(row) }
    }
    chosen.reverse()
    return JSONWriter.line(escapes: .short) { json in
      json.member("nodes", nodes.all)
      json.member("rooms", rooms.all)
      func column(_ name: String, _ value: (Row) -> String?) {
        json.key(name)
        json.array { list in for row in chosen { list.number(written: value(row)) } }
      }
      func metres(_ name: String, _ path: KeyPath<Row, Float>) {
        column(name) { $0[keyPath: path].isFinite ? decimals(Double($0[keyPath: path]), 2) : nil }
      }
      column("time_s") { Timestamp.decimalSeconds($0.time) }
      column("node") { "\($0.node)" }
      column("room") { $0.room < 0 ? nil : "\($0.room)" }
      metres("x_m", \.x)
      metres("y_m", \.y)
      metres("semi_major_95_m", \.semiMajor)
      metres("semi_minor_95_m", \.semiMinor)
      metres("angle_deg", \.degrees)
    }
  }
}
