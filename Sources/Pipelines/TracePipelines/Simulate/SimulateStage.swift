import Advertising
import Geometry
import Glibc
import Recordings
import Sightings
public import Simulation
import Support

/// A room to simulate, and where to write it.
public struct SimulateRequest: Sendable {
  /// The scenario: the room, its beacons, the walks and the radio channel.
  public var scenario: Scenario
  /// The folder to write to; it is made if it is missing.
  public var folder: String

  /// Creates a request to simulate a scenario and write it into a folder.
  public init(_ scenario: Scenario, into folder: String) {
    (self.scenario, self.folder) = (scenario, folder)
  }
}

/// The numbers of rows that a simulation wrote.
public struct SimulateResult: Sendable {
  /// The number of sightings in all recordings.
  public var sightings: Int
  /// The number of readings at known distances, for a calibration.
  public var calibrationReadings: Int
}

/// Simulates a room and writes it into a folder, in the layouts that an import reads.
public struct SimulateStage: Stage {
  private let request: SimulateRequest

  public init(_ request: SimulateRequest) { self.request = request }

  /// Writes nodes.csv, truth.csv, levels.csv, rssi.csv, distances.csv, rests.csv if beacons rest,
  /// site.toml of a building or a flat, and one recording per trace.
  public func perform(in context: StageContext) throws -> SimulateResult {
    let room = try SimulatedRoom(request.scenario)
    let bench = try SimulatedBench(CalibrationSession(), in: room)
    try makeFolder(request.folder)
    return try SimulationFolder(path: request.folder, room: room).write(bench)
  }
}

/// The files of a simulated room.
private struct SimulationFolder {
  let path: String
  let room: SimulatedRoom

  func write(_ bench: SimulatedBench) throws -> SimulateResult {
    try writeNodes()
    if let site = SimulatedSite(room, beacons: room.beacons.map(name)) {
      try writeWhole(Array(site.text.utf8), to: path + "/site.toml")
    }
    try room.scenario.rests == nil ? writeTruth() : writeRests()
    let sightings = try writeWalks()
    return SimulateResult(sightings: sightings, calibrationReadings: try writeDistances(bench))
  }

  private static let receiver = "phone"

  private func name(_ beacon: SimulatedBeacon) -> String { frame(beacon).identity }

  /// The name of the column of floors, with its comma; empty without floors.
  private var floorColumn: String { room.scenario.storeys == nil ? "" : ",floor" }

  /// Returns the field of that column.
  private func floor(_ index: Int?) -> String {
    guard room.scenario.storeys != nil else { return "" }
    return "," + (index.map(SimulatedSite.floorName) ?? "")
  }

  private func trace(_ index: Int) -> String {
    (room.scenario.rests == nil ? "walk-" : "rest-") + "\(index + 1)"
  }

  private func writeNodes() throws {
    var text = "node,role,x_m,y_m,z_m\(floorColumn)\n"
    for beacon in room.beacons {
      // The side that moves has no place of its own.
      let place = room.receiverPosition == nil ? place(beacon.position, beacon.height) : ",,"
      text += "\(name(beacon)),beacon,\(place)\(floor(beacon.floor))\n"
    }
    let height = room.scenario.room.receiverHeight
    let middle = room.receiverPosition.map { place($0, height) } ?? ",,"
    text += "\(Self.receiver),receiver,\(middle)\(floor(nil))\n"
    try writeWhole(Array(text.utf8), to: path + "/nodes.csv")
  }

  private func writeTruth() throws {
    var text = "trace,time_s,node,x_m,y_m,z_m\(floorColumn)\n"
    let height = room.scenario.room.receiverHeight
    for (index, walk) in room.walks.enumerated() {
      for point in walk {
        text += "\(trace(index)),\(seconds(point.time)),\(Self.receiver),"
        text += "\(place(point.position, height))\(floor(point.floor))\n"
      }
    }
    try writeWhole(Array(text.utf8), to: path + "/truth.csv")
  }

  /// Writes the rests of beacons, and their places at the start and the end of each; in between
  /// they are carried in a straight line.
  private func writeRests() throws {
    let height = room.scenario.room.beaconHeight
    try writeWhole(to: path + "/rests.csv") { writeRest in
      try writeRest("trace,beacon,start_s,end_s,x_m,y_m,z_m,distance_m,silent_from_s,silent_to_s\n")
      try writeWhole(to: path + "/truth.csv") { write in
        try write("trace,time_s,node,x_m,y_m,z_m\n")
        for index in 0..<room.scenario.walks.count {
          for beacon in room.beacons {
            guard let rests = room.rests(ofBeacon: beacon.index, inTrace: index) else { continue }
            for rest in rests {
              let place = place(rest.position, height)
              try write("\(trace(index)),\(seconds(rest.start)),\(name(beacon)),\(place)\n")
              guard rest.end > rest.start else { continue }
              try write("\(trace(index)),\(seconds(rest.end)),\(name(beacon)),\(place)\n")
              let silence =
                rest.silence.map { "\(seconds($0.lowerBound)),\(seconds($0.upperBound))" } ?? ","
              try writeRest(
                "\(trace(index)),\(name(beacon)),\(seconds(rest.start)),\(seconds(rest.end)),"
                  + "\(place),\(SimulatedSite.metres(rest.distance)),\(silence)\n")
            }
          }
        }
      }
    }
  }

  /// Writes rssi.csv, levels.csv and one recording per trace; returns the number of sightings.
  private func writeWalks() throws -> Int {
    let names = room.beacons.map(name)
    let payloads = room.beacons.map { frame($0).payload }
    var count = 0
    try writeWhole(to: path + "/levels.csv") { writeLevel in
      try writeLevel("trace,time_s,receiver,beacon,true_rssi_dbm\n")
      try writeWhole(to: path + "/rssi.csv") { write in
        try write("trace,time_s,receiver,beacon,rssi_dbm,channel\n")
        var recording: OpenRecording?
        try room.forEachSighting { (sighting: SimulatedSighting) throws -> Void in
          if recording?.trace != sighting.trace {
            try recording.take()?.close()
            recording = try OpenRecording(
              path: "\(path)/\(trace(sighting.trace)).btsnoop", trace: sighting.trace)
          }
          let time = microsecond(sighting.time)
          let link =
            "\(trace(sighting.trace)),\(Timestamp.decimalSeconds(time)),\(Self.receiver),"
            + names[sighting.beacon]
          try write("\(link),\(sighting.rssi),\(sighting.channel)\n")
          try writeLevel("\(link),\(Float(sighting.meanRSSI))\n")
          let report = AdvertisingReport(
            time: time,
            address: DeviceAddress(bits: 0xC0FF_EE00_0000 + UInt64(sighting.beacon) + 1, type: 1),
            rssi: Float(sighting.rssi), eventType: 0x10)
          try recording?.write(report, payloads[sighting.beacon])
          count += 1
        }
        try recording.take()?.close()
      }
    }
    return count
  }

  /// Writes the calibration session; returns the number of readings.
  private func writeDistances(_ bench: SimulatedBench) throws -> Int {
    let names = room.beacons.map(name)
    var text = "series,time_s,receiver,beacon,distance_m,rssi_dbm,channel\n"
    var count = 0
    try bench.forEachSighting { (sighting: SimulatedSighting) throws -> Void in
      let stay = bench.stays[sighting.trace]
      text +=
        "calibration,\(Timestamp.decimalSeconds(microsecond(sighting.time))),\(Self.receiver),"
      text +=
        "\(names[sighting.beacon]),\(plain(stay.distance)),\(sighting.rssi),\(sighting.channel)\n"
      count += 1
    }
    try writeWhole(Array(text.utf8), to: path + "/distances.csv")
    return count
  }

  private func frame(_ beacon: SimulatedBeacon) -> (identity: String, payload: [UInt8]) {
    let uuid = Identifier<16>(hexadecimal(SimulatedBeacon.proximityUUID))
    guard let uuid else { preconditionFailure("the simulator's UUID has 16 bytes") }
    let power = Int8(clamping: Int(room.scenario.propagation.measuredPower.rounded()))
    let frame = BeaconFrame.iBeacon(
      IBeacon(uuid: uuid, major: SimulatedBeacon.major, minor: beacon.minor, measuredPower: power))
    let identity = BeaconIdentity(frame, address: DeviceAddress(bits: 0, type: 0))
    return (identity.description, frame.advertisingData)
  }

  /// Rounds to microseconds, as recordings do.
  private func microsecond(_ time: Int64) -> Int64 { time / 1000 * 1000 }

  private func seconds(_ time: Int64) -> String { Timestamp.decimalSeconds(microsecond(time)) }

  private func place(_ point: Point, _ height: Double) -> String {
    [point.x, point.y, height].map(SimulatedSite.metres).joined(separator: ",")
  }
}

/// The recording of a walk while it is written.
private struct OpenRecording: ~Copyable {
  let trace: Int
  private var file: AtomicFile
  private var writer: BTSnoopWriter

  init(path: String, trace: Int) throws {
    self.trace = trace
    let file = try AtomicFile(path: path)
    writer = try BTSnoopWriter(path: file.temporaryPath)
    self.file = file
  }

  mutating func write(_ report: AdvertisingReport, _ payload: [UInt8]) throws {
    try writer.receive(report, payload: payload.span)
  }

  consuming func close() throws {
    try writer.close()
    try file.commit()
  }
}
