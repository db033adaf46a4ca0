import ArgumentParser
import Simulation
import Support
import TracePipelines

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulate a room with beacons and walks through it, with ground truth.",
    discussion: """
      Writes to a folder: walk-1.btsnoop, walk-2.btsnoop, … as recorded by an adapter; rssi.csv, the \
      same sightings with their channels; nodes.csv; truth.csv, the positions of the receiver; \
      levels.csv, the true mean level of each sighting's link; and distances.csv, readings at known \
      distances. The same seed gives the same bytes. docs/simulation.md describes the model.

      EXAMPLES:
        rssi simulate -o room
        rssi simulate --walks 10 --duration 120 --loss 0.5 --seed 42 -o room
        rssi simulate --room 20x15 --beacons 12 --exponent 2.4 -o hall
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Folder to write to; created if missing.", valueName: "folder"),
    completion: .directory)
  var output: String

  @Option(help: ArgumentHelp("Random seed.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Number of beacons.", valueName: "n"))
  var beacons = Scenario().room.beaconCount

  @Option(help: ArgumentHelp("Number of walks.", valueName: "n"))
  var walks = Scenario().walks.count

  @Option(help: ArgumentHelp("Length of a walk in seconds.", valueName: "seconds"))
  var duration = Scenario().walks.duration

  @Option(
    help: ArgumentHelp(
      "Width and depth of the room in metres, such as 12x8.", valueName: "widthxdepth"))
  var room = "12x8"

  @Option(help: ArgumentHelp("Advertising interval in seconds.", valueName: "seconds"))
  var interval = Scenario().reception.advertisingInterval

  @Option(help: ArgumentHelp("Share of packets lost.", valueName: "share"))
  var loss = Scenario().reception.lossProbability

  @Option(help: ArgumentHelp("Scan time between pauses of the receiver.", valueName: "time"))
  var scanOn = "1s"

  @Option(
    help: ArgumentHelp(
      "Length of each pause of the receiver; 0s scans without pauses.", valueName: "time"))
  var scanOff = "0s"

  @Option(help: ArgumentHelp("RSSI at 1 m in dBm.", valueName: "dbm"))
  var measuredPower = Scenario().propagation.measuredPower

  @Option(help: ArgumentHelp("Path-loss exponent.", valueName: "number"))
  var exponent = Scenario().propagation.exponent

  @Option(help: ArgumentHelp("Standard deviation of the shadowing in dB.", valueName: "db"))
  var shadowing = Scenario().propagation.shadowingDeviation

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    guard output != "-" else {
      throw RSSIError(
        .usage, "-o names a folder, not standard output: name one (./- for one called -)")
    }
    let simulation = try room(of: scenario())
    let bench = try SimulatedBench(CalibrationSession(), in: simulation)
    let written = try SimulationFolder(output, of: simulation).write(bench)
    try reporting.report(
      .object([
        "folder": .string(output), "seed": .unsigned(seed), "beacons": .integer(beacons),
        "walks": .integer(walks), "sightings": .integer(written.sightings),
        "calibration_readings": .integer(written.calibrationReadings),
      ]),
      text: "\(output.printable): \(walks) walks of \(plain(duration)) s among \(beacons) "
        + "beacons, \(written.sightings) sightings; \(written.calibrationReadings) calibration "
        + "readings\n")
  }

  /// Simulates a scenario; a refusal names the option instead of the parameter.
  private func room(of scenario: Scenario) throws(RSSIError) -> SimulatedRoom {
    do throws(RSSIError) {
      return try SimulatedRoom(scenario)
    } catch {
      var error = error
      error.subject = error.subject.map { Self.options[$0] ?? $0 }
      throw error
    }
  }

  private static let options = [
    "room.width": "--room", "room.depth": "--room", "room.beaconCount": "--beacons",
    "walks.count": "--walks", "walks.duration": "--duration",
    "walks.count × (duration + pause)": "--walks times --duration",
    "propagation.measuredPower": "--measured-power", "propagation.exponent": "--exponent",
    "propagation.shadowingDeviation": "--shadowing",
    "reception.advertisingInterval": "--interval", "reception.lossProbability": "--loss",
    "reception.scanOn": "--scan-on", "reception.scanOff": "--scan-off",
  ]

  private func scenario() throws -> Scenario {
    let sides = room.split(separator: "x").compactMap { Double($0) }
    guard sides.count == 2 else {
      throw RSSIError(.usage, "write the room as 12x8, in metres")
    }
    var scenario = Scenario(seed: seed)
    scenario.room.width = sides[0]
    scenario.room.depth = sides[1]
    scenario.room.beaconCount = beacons
    scenario.walks.count = walks
    scenario.walks.duration = duration
    scenario.reception.advertisingInterval = interval
    scenario.reception.lossProbability = loss
    scenario.reception.scanOn = try seconds(scanOn, "--scan-on")
    scenario.reception.scanOff = try seconds(scanOff, "--scan-off")
    scenario.propagation.measuredPower = measuredPower
    scenario.propagation.exponent = exponent
    scenario.propagation.shadowingDeviation = shadowing
    return scenario
  }

  /// Seconds of an option that is a time; which are sensible the simulation knows.
  private func seconds(_ text: String, _ option: String) throws -> Double {
    guard let value = Support.duration(text) else {
      throw RSSIError(.usage, "\(option) \"\(text)\" is no time: write 500ms, 1s or 5m")
    }
    return Double(value) / 1e9
  }
}
