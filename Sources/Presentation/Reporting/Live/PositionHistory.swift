import Geometry
import Positioning
import Sightings
import Support
import TracePipelines

/// The positions of the last hour, or since a recording began, in a bounded amount of memory: about
/// 52 bytes per position, and the names of the nodes that have one.
struct PositionHistory {
  private struct Row {
    var time: Int64
    var node: Int32
    /// The number of the room's name; -1 = none.
    var room: Int32
    /// The number of the floor's name; -1 = none.
    var floor: Int32
    /// The coordinates in metres; NaN without a position.
    var x: Float
    var y: Float
    /// The longer half axis of the 95 % ellipse; NaN without one.
    var semiMajor: Float
    var semiMinor: Float
    var degrees: Float
  }

  /// The rows from `first` on, in order of arrival.
  private var rows: [Row] = []
  private var first = 0
  private let most: Int
  private var nodes = Names()
  private var rooms = Names()
  private var floors = Names()
  /// The time from which on nothing is too old, since it is recorded; nil for none.
  private var recordedFrom: Int64?
  private static let longest: Int64 = 3_600_000_000_000

  /// - Parameter most: positions; more replace the oldest.
  init(most: Int = 200_000) { self.most = most }

  /// A Boolean value that is true while a recording runs: then the history goes back to where that
  /// began.
  var isRecorded: Bool {
    get { recordedFrom != nil }
    set { recordedFrom = newValue ? rows.last?.time ?? .min : nil }
  }

  /// Names with numbers, each for as long as a row has it.
  private struct Names {
    private var all: [String] = []
    private var rows: [Int] = []
    private var free: [Int32] = []
    private var numbers: [String: Int32] = [:]

    subscript(number: Int32) -> String { all[Int(number)] }

    func find(_ name: String) -> Int32? { numbers[name] }

    /// The number of a name, which one row more has.
    mutating func take(_ name: String) -> Int32 {
      if let known = numbers[name] {
        rows[Int(known)] += 1
        return known
      }
      let number = free.popLast() ?? Int32(all.count)
      if number == all.count {
        all.append(name)
        rows.append(1)
      } else {
        (all[Int(number)], rows[Int(number)]) = (name, 1)
      }
      numbers[name] = number
      return number
    }

    /// Removes one use of a number; -1 for none.
    mutating func release(_ number: Int32) {
      guard number >= 0 else { return }
      rows[Int(number)] -= 1
      guard rows[Int(number)] == 0 else { return }
      numbers[all[Int(number)]] = nil
      all[Int(number)] = ""
      free.append(number)
    }
  }

  /// The names of an answer, by place.
  private struct ListedNames {
    private(set) var names: [String] = []
    private var places: [Int32: Int32] = [:]

    mutating func place(_ number: Int32, _ all: Names) -> Int32 {
      if let known = places[number] { return known }
      places[number] = Int32(names.count)
      names.append(all[number])
      return Int32(names.count - 1)
    }
  }

  /// - Parameter name: what people call the node.
  mutating func append(_ position: LocatedPosition, name: String) {
    let (place, ellipse) = (position.estimate?.position, position.ellipse)
    let row = Row(
      time: position.time, node: nodes.take(name), room: position.room.map { rooms.take($0) } ?? -1,
      floor: position.floor.map { floors.take($0) } ?? -1,
      x: Float(place?.x ?? .nan), y: Float(place?.y ?? .nan),
      semiMajor: Float(ellipse?.semiMajor ?? .nan), semiMinor: Float(ellipse?.semiMinor ?? .nan),
      degrees: Float((ellipse?.angle ?? .nan) * 180 / .pi))
    rows.append(row)
    while rows.count - first > most || isOld(rows[first]) {
      nodes.release(rows[first].node)
      rooms.release(rows[first].room)
      floors.release(rows[first].floor)
      first += 1
    }
    guard first > 1024, first > rows.count / 4 else { return }
    rows.removeFirst(first)
    first = 0
  }

  /// Returns true for a position more than an hour before the latest, or after it: a clock was set.
  private func isOld(_ row: Row) -> Bool {
    guard let latest = rows.last?.time, recordedFrom.map({ row.time < $0 }) ?? true else {
      return false
    }
    return (row.time &- latest).magnitude > Self.longest.magnitude
  }

  /// The latest positions within times, the oldest first, as columns.
  func text(_ times: ClosedRange<Int64>, of node: String?, atMost limit: Int) -> String {
    let wanted = node.map { name in nodes.find(name) ?? -1 }
    var chosen: [Row] = []
    for row in rows[first...].reversed() {
      guard chosen.count < limit else { break }
      if times.contains(row.time), wanted == nil || row.node == wanted { chosen.append(row) }
    }
    chosen.reverse()
    var (nodeList, roomList, floorList) = (ListedNames(), ListedNames(), ListedNames())
    for index in chosen.indices {
      chosen[index].node = nodeList.place(chosen[index].node, nodes)
      if chosen[index].room >= 0 { chosen[index].room = roomList.place(chosen[index].room, rooms) }
      if chosen[index].floor >= 0 {
        chosen[index].floor = floorList.place(chosen[index].floor, floors)
      }
    }
    return JSONWriter.line(escapes: .short) { json in
      json.member("nodes", nodeList.names)
      json.member("rooms", roomList.names)
      json.member("floors", floorList.names)
      func column(_ name: String, _ value: (Row) -> String?) {
        json.key(name)
        json.array { list in for row in chosen { list.number(written: value(row)) } }
      }
      func metres(_ name: String, _ path: KeyPath<Row, Float>) {
        column(name) { $0[keyPath: path].isFinite ? decimal(Double($0[keyPath: path]), 2) : nil }
      }
      column("time_s") { Timestamp.decimalSeconds($0.time) }
      column("node") { "\($0.node)" }
      column("room") { $0.room < 0 ? nil : "\($0.room)" }
      column("floor") { $0.floor < 0 ? nil : "\($0.floor)" }
      metres("x_m", \.x)
      metres("y_m", \.y)
      metres("semi_major_95_m", \.semiMajor)
      metres("semi_minor_95_m", \.semiMinor)
      metres("angle_deg", \.degrees)
    }
  }
}
