import ArgumentParser
import Simulation
import Support

/// The floors of a simulated building.
struct FloorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Simulate a building of this many floors, each with --beacons and as large as --room, and \
      walks that take the stairs. (default: one room)
      """, valueName: "n"))
  var floors: Int?

  @Option(help: help("With --floors: height from floor to floor in metres", \.height, "metres"))
  var storeyHeight: Double?

  @Option(help: help("With --floors: mean loss by a slab in dB", \.slabLoss, "db"))
  var slabLoss: Double?

  @Option(
    help: help(
      "With --floors: standard deviation of the loss from beacon to beacon and floor to floor in dB",
      \.slabDeviation, "db"))
  var slabDeviation: Double?

  @Option(
    help: help(
      "With --floors: median distance in metres by which a beacon appears aside on other floors",
      \.apparentShift, "metres"))
  var apparentShift: Double?

  /// The option, its parameter in messages of the simulation, and where both are.
  private static var parameters:
    [(option: String, name: String, WritableKeyPath<Storeys, Double>, KeyPath<Self, Double?>)]
  {
    [
      ("--storey-height", "storeys.height", \.height, \.storeyHeight),
      ("--slab-loss", "storeys.slabLoss", \.slabLoss, \.slabLoss),
      ("--slab-deviation", "storeys.slabDeviation", \.slabDeviation, \.slabDeviation),
      ("--apparent-shift", "storeys.apparentShift", \.apparentShift, \.apparentShift),
    ]
  }

  /// The options of parameters by the names of these in messages of the simulation.
  static var optionNames: [String: String] {
    Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.option) })
      .merging([
        "storeys": "--floors", "storeys.count": "--floors",
        "room.beaconCount × storeys.count": "--beacons times --floors",
      ]) { first, _ in first }
  }

  /// Returns the floors, or `nil` if there is one room.
  func storeys() throws(RSSIError) -> Storeys? {
    var storeys = floors.map { Storeys(count: $0) }
    for (option, _, parameter, value) in Self.parameters {
      guard let value = self[keyPath: value] else { continue }
      guard storeys != nil else {
        throw RSSIError(
          .usage, "a single room has no slabs", in: option,
          advice: "add --floors, such as --floors 2")
      }
      storeys?[keyPath: parameter] = value
    }
    return storeys
  }
}

/// The help of a parameter, with its default.
private func help(
  _ text: String, _ parameter: KeyPath<Storeys, Double>, _ valueName: String
) -> ArgumentHelp {
  ArgumentHelp(
    "\(text). (default: \(plain(Storeys()[keyPath: parameter])))", valueName: valueName)
}
