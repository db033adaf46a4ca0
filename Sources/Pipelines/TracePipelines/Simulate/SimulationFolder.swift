import Advertising
import Geometry
import Glibc
import Recordings
import Sightings
package import Simulation
package import Support

/// Writes a simulated room into a folder, in the layouts that an import reads.
package struct SimulationFolder {
  private let path: String
  private let room: SimulatedRoom

  /// How many rows were written.
  package struct Counts: Sendable {
    package var sightings: Int
    package var calibrationReadings: Int
  }

  /// Makes the folder where it is missing.
  ///
  /// - Throws: `RSSIError` where it cannot be made.
  package init(_ path: String, of room: SimulatedRoom) throws(RSSIError) {
    try makeFolder(path)
    (self.path, self.room) = (path, room)
  }

  /// Writes nodes.csv, truth.csv, levels.csv, rssi.csv, distances.csv and one recording a walk.
  package func write(_ bench: SimulatedBench) throws -> Counts {
    try writeNodes()
    try writeTruth()
    let sightings = try writeWalks()
    return Counts(sightings: sightings, calibrationReadings: try writeDistances(bench))
  }

  private static let receiver = "phone"

  private func name(_ beacon: SimulatedBeacon) -> String { frame(beacon).identity }

  private func writeNodes() throws {
    var text = "node,role,x_m,y_m,z_m\n"
    for beacon in room.beacons {
      text += "\(name(beacon)),beacon,\(metres(beacon.position.x)),\(metres(beacon.position.y)),"
      text += "\(metres(beacon.height))\n"
    }
    text += "\(Self.receiver),receiver,,,\n"
    try writeWhole(Array(text.utf8), to: path + "/nodes.csv")
  }

  private func writeTruth() throws {
    var text = "trace,time_s,node,x_m,y_m,z_m\n"
    let height = metres(room.scenario.room.receiverHeight)
    for (index, walk) in room.walks.enumerated() {
      for point in walk {
        text +=
          "walk-\(index + 1),\(Timestamp.decimalSeconds(microsecond(point.time))),\(Self.receiver),"
        text += "\(metres(point.position.x)),\(metres(point.position.y)),\(height)\n"
      }
    }
    try writeWhole(Array(text.utf8), to: path + "/truth.csv")
  }

  /// Writes rssi.csv, levels.csv and one recording a walk; returns the number of sightings.
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
              path: "\(path)/walk-\(sighting.trace + 1).btsnoop", trace: sighting.trace)
          }
          let time = microsecond(sighting.time)
          let link =
            "walk-\(sighting.trace + 1),\(Timestamp.decimalSeconds(time)),\(Self.receiver),"
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
      let dwell = bench.dwells[sighting.trace]
      text +=
        "calibration,\(Timestamp.decimalSeconds(microsecond(sighting.time))),\(Self.receiver),"
      text +=
        "\(names[sighting.beacon]),\(plain(dwell.distance)),\(sighting.rssi),\(sighting.channel)\n"
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

  /// Recordings keep microseconds, so the tables do too.
  private func microsecond(_ time: Int64) -> Int64 { time / 1000 * 1000 }

  /// A length to a tenth of a millimetre.
  private func metres(_ value: Double) -> String { plain((value * 1e4).rounded() / 1e4) }
}

/// The recording of one walk while it is written.
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
