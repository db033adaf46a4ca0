internal import Advertising
internal import Sightings
internal import Support

/// A capture of ESPresense-companion, version 1: nodes with their places, the true places of one
/// device, and the messages of the nodes about it.
///
///     {"version":1,"deviceId":"iBeacon:UUID-1-2",…,
///      "nodes":[{"id":"kitchen","name":"Kitchen","point":[1,2,0.5],"floors":["ground"]}],
///      "positions":[{"t":"2026-06-15T12:00:00.1Z","x":3.5,"y":2,"z":1,"floor":"ground"}],
///      "messages":[{"t":"2026-06-15T12:00:00.2Z","node":"kitchen","distance":3.4,"rssi":-72.35,…}]}
///
/// The arrays are read in this order. Each element is a packet; nodes and positions have no report.
/// Levels are medians over some seconds, as ESPresense sends them. Source: ESPresense-companion,
/// DeviceCaptureService.cs.
struct CompanionParser: LogParser {
  static let arrays = ["nodes", "positions", "messages"].map { [Array($0.utf8)] }

  private let document = JSONDocument()
  private let beacon: String

  /// - Parameter head: The first bytes of the file, which name the device.
  /// - Throws: `RSSIError` for another version than 1, or without a device.
  init(_ head: [UInt8], path: String) throws(RSSIError) {
    func value(_ text: ArraySlice<UInt8>?) -> ArraySlice<UInt8> {
      (text?.after(":") ?? []).trimmed.prefix { !",}\n\r".utf8.contains($0) }.trimmed
    }
    let version = value(head[...].after("\"version\"")).leadingNumber
    guard version == 1 else {
      throw .badTable(
        path: path,
        problem: "a capture of ESPresense-companion of version \(version.map(String.init) ?? "?"), "
          + "expected 1")
    }
    let id = value(head[...].after("\"deviceId\"")).unquoted
    beacon = BeaconText.espresense(id)
    guard !id.isEmpty, TextLimit.name.admits(beacon) else {
      throw .badTable(path: path, problem: "\"deviceId\" of the capture is missing or too long")
    }
  }

  mutating func read(_ line: Span<UInt8>, into batch: inout LogBatch) {
    guard document.parse(line), document.root.kind == .object else { return batch.count(false) }
    let root = document.root
    if let point = root["point"] {
      readNode(root, point, into: &batch)
    } else {
      guard let text = root["t"]?.text, let time = Timestamp.local(iso8601: text.span),
        let start = Timestamp.nanoseconds(time.seconds - (time.offset ?? 0), time.nanoseconds)
      else { return batch.counts.rejectPacket(.badTime) }
      if root["node"] != nil {
        readMessage(root, start, into: &batch)
      } else {
        guard let place = place(root, floor: root["floor"]?.text, start) else {
          return batch.count(false)
        }
        batch.add(.truth(beacon, place))
        batch.counts.otherEvents.add(.waypoint)
      }
    }
  }

  private func readMessage(_ root: JSONElement, _ time: Int64, into batch: inout LogBatch) {
    guard let node = root["node"]?.text, let adapter = batch.adapter(named: node, kind: .filtered),
      let rssi = root["rssi"]?.number
    else { return batch.count(false) }
    var report = LogBatch.NamedReport(time: time, rssi: Float(rssi), beacon: beacon)
    report.adapter = adapter
    batch.count(batch.add(report))
  }

  private func readNode(_ root: JSONElement, _ point: JSONElement, into batch: inout LogBatch) {
    let values = point.children.map { $0.number ?? .nan }
    var floors = root["floors"]?.children
    let floor = floors?.next()?.text
    // A node that serves several floors is on none of them alone.
    let own = (floors?.next() == nil ? floor : nil) ?? []
    guard let id = root["id"]?.text, !id.isEmpty, TextLimit.name.admits(id.span),
      values.count >= 2, values[0].isFinite, values[1].isFinite,
      values.allSatisfy({ $0.isNaN || Node.coordinates.contains($0) }),
      TextLimit.floor.admits(own.span)
    else { return batch.count(false) }
    let place = LogBatch.Place(
      x: values[0], y: values[1], z: values.count > 2 ? values[2] : .nan,
      floor: String(decoding: own, as: UTF8.self))
    let name = String(decoding: root["name"]?.text ?? [], as: UTF8.self)
    batch.add(.anchor(String(decoding: id, as: UTF8.self), name: name, place))
    batch.counts.otherEvents.add(.anchor)
  }

  private func place(
    _ root: JSONElement, floor: ArraySlice<UInt8>?, _ time: Int64
  ) -> LogBatch.Place? {
    let z = root["z"]?.number ?? .nan
    let floor = floor ?? []
    guard let x = root["x"]?.number, let y = root["y"]?.number, Node.coordinates.contains(x),
      Node.coordinates.contains(y), z.isNaN || Node.coordinates.contains(z),
      TextLimit.floor.admits(floor.span)
    else { return nil }
    return LogBatch.Place(
      time: time, x: x, y: y, z: z, floor: String(decoding: floor, as: UTF8.self))
  }
}
