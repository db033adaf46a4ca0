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
      distances. With --floors the walks lead through a building and take the stairs, with --flat \
      through the doors of six rooms; site.toml describes both. With --rest the beacons move instead: \
      rest-1.btsnoop, …, their positions in truth.csv, and rests.csv, their rests and drop-outs. The \
      same seed gives the same bytes. docs/simulation.md describes the model.

      EXAMPLES:
        rssi simulate -o room
        rssi simulate --floors 2 --room 40x25 --walks 60 --duration 180 -o house
        rssi simulate --flat --walks 20 -o flat
        rssi simulate --rest 10m --move 8 --drop-out 1m --fading-time 5s -o rests
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Folder to write to; created if missing.", valueName: "folder"),
    completion: .directory)
  var output: String

  @Option(help: ArgumentHelp("Random seed.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Number of beacons on each floor. (default: \(Scenario().room.beaconCount); \(flat.room.beaconCount) with --flat)",
      valueName: "n"))
  var beacons: Int?

  @Option(
    help: ArgumentHelp(
      "Number of walks, or of recordings with --rest. (default: \(Scenario().walks.count); 1)",
      valueName: "n"))
  var walks: Int?

  @Option(
    help: ArgumentHelp(
      "Length of each in seconds. (default: \(plain(Scenario().walks.duration)); \(plain(flat.walks.duration)) with --flat; twice --rest)",
      valueName: "seconds"))
  var duration: Double?

  @Option(
    help: ArgumentHelp(
      """
      Let beacons lie still around a receiver that stays: each for this time, up to a tenth longer, \
      then it is carried to another place.
      """, valueName: "time"))
  var rest: String?

  @Option(
    help: ArgumentHelp(
      "With --rest: change of the mean level by each move, down and up in turn.", valueName: "db"))
  var move: Double?

  @Option(
    help: ArgumentHelp(
      "With --rest: silence of a beacon, once in each rest.", valueName: "time"))
  var dropOut: String?

  @Option(help: ArgumentHelp("Speed of walks and moves in metres per second.", valueName: "m/s"))
  var speed = Scenario().walks.speed

  @Option(
    help: ArgumentHelp(
      "Mean length of stops on the way, each from 0 to twice as long. (default: no stops; \(plain(flat.walks.stop))s with --flat)",
      valueName: "time"))
  var stop: String?

  @Option(
    help: ArgumentHelp(
      "Width and depth of the room in metres. (default: 12x8; 12x9 with --flat)",
      valueName: "widthxdepth"))
  var room: String?

  @OptionGroup var building: BuildingOptions

  @OptionGroup var radio: RadioOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    guard output != "-" else {
      throw RSSIError(
        .usage, "-o names a folder, not standard output: name one (./- for one called -)")
    }
    let scenario = try scenario()
    let written = try simulate(scenario)
    let floors = scenario.storeys?.count
    let beacons = scenario.room.beaconCount * (floors ?? 1)
    try reporting.report(
      .object(
        [
          "folder": .string(output), "seed": .unsigned(seed), "beacons": .integer(beacons),
          "walks": .integer(scenario.walks.count), "sightings": .integer(written.sightings),
          "calibration_readings": .integer(written.calibrationReadings),
        ].merging(floors.map { ["floors": .integer($0)] } ?? [:]) { first, _ in first }),
      text: "\(output.printable): \(scenario.walks.count) "
        + (rest == nil ? "walks of " : "recordings of rests, ")
        + "\(plain(scenario.walks.duration)) s among \(beacons) beacons"
        + (floors.map { " on \($0) floors, " } ?? (building.flat ? " in a flat, " : ", "))
        + "\(written.sightings) sightings; \(written.calibrationReadings) calibration readings\n")
  }

  /// Simulates a scenario; a refusal names the option instead of the parameter.
  private func simulate(_ scenario: Scenario) throws(RSSIError) -> SimulateResult {
    do throws(RSSIError) {
      return try SimulateStage(SimulateRequest(scenario, into: output))
        .run(in: reporting.context)
    } catch {
      var error = error
      error.subject = error.subject.map { Self.options[$0] ?? $0 }
      throw error
    }
  }

  /// The scenario of a flat, for its defaults in the help.
  private static var flat: Scenario {
    var scenario = Scenario()
    scenario.use(Flat())
    return scenario
  }

  private static let options = RadioOptions.optionNames.merging(BuildingOptions.optionNames) {
    first, _ in first
  }.merging([
    "room.width": "--room", "room.depth": "--room", "room.beaconCount": "--beacons",
    "walks.count": "--walks", "walks.duration": "--duration", "walks.speed": "--speed",
    "walks.stop": "--stop",
    "walks.count × (duration + pause)": "--walks times --duration", "rests.duration": "--rest",
    "rests.levelChange": "--move", "rests.dropOut": "--drop-out",
  ]) { first, _ in first }

  private func scenario() throws(RSSIError) -> Scenario {
    var scenario = try radio.scenario(seed: seed)
    if let flat = try building.walls() { scenario.use(flat) }
    if let room {
      let sides = room.split(separator: "x").compactMap { Double($0) }
      guard sides.count == 2 else {
        throw RSSIError(.usage, "write the room as 12x8, in metres")
      }
      (scenario.room.width, scenario.room.depth) = (sides[0], sides[1])
    }
    if let beacons { scenario.room.beaconCount = beacons }
    scenario.storeys = try building.storeys()
    if let rest {
      var plan = RestPlan(duration: try seconds(rest, "--rest"))
      plan.levelChange = move
      if let dropOut { plan.dropOut = try seconds(dropOut, "--drop-out") }
      scenario.rests = plan
      (scenario.walks.count, scenario.walks.duration) = (1, 2 * plan.duration)
    } else if move != nil || dropOut != nil {
      throw RSSIError(
        .usage, "beacons are on the walls and do not move",
        in: move != nil ? "--move" : "--drop-out", advice: "add --rest, such as --rest 10m")
    }
    if let walks { scenario.walks.count = walks }
    if let duration { scenario.walks.duration = duration }
    scenario.walks.speed = speed
    if let stop { scenario.walks.stop = try seconds(stop, "--stop") }
    return scenario
  }
}
