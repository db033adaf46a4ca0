import ArgumentParser
import Screens
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
      """)

  @Option(name: .shortAndLong, help: "Folder to write to; created if missing.")
  var output: String

  @Option(help: "Random seed.")
  var seed: UInt64 = 1

  @Option(help: "Number of beacons.")
  var beacons = Scenario().room.beaconCount

  @Option(help: "Number of walks.")
  var walks = Scenario().walks.count

  @Option(help: "Length of a walk in seconds.")
  var duration = Scenario().walks.duration

  @Option(help: "Width and depth of the room in metres, such as 12x8.")
  var room = "12x8"

  @Option(help: "Advertising interval in seconds.")
  var interval = Scenario().reception.advertisingInterval

  @Option(help: "Share of packets lost.")
  var loss = Scenario().reception.lossProbability

  @Option(help: "Scan time between pauses of the receiver.")
  var scanOn = "1s"

  @Option(help: "Length of each pause of the receiver; 0s scans without pauses.")
  var scanOff = "0s"

  @Option(help: "RSSI at 1 m in dBm.")
  var measuredPower = Scenario().propagation.measuredPower

  @Option(help: "Path-loss exponent.")
  var exponent = Scenario().propagation.exponent

  @Option(help: "Standard deviation of the shadowing in dB.")
  var shadowing = Scenario().propagation.shadowingDeviation

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    guard output != "-" else {
      throw RSSIError(
        .usage, "-o names a folder, not standard output: name one (./- for one called -)")
    }
    let simulation = try SimulatedRoom(scenario())
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
