import ArgumentParser
import Simulation
import Support

/// The floors of a simulated building, or the rooms of a flat.
struct BuildingOptions: ParsableArguments {
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

  @Flag(
    help: ArgumentHelp(
      "Simulate a flat of six rooms with walls and open doors, as large as --room, and walks from room to room."
    ))
  var flat = false

  @Option(
    help: ArgumentHelp(
      "With --flat: mean loss by a wall in dB. (default: \(plain(Flat().wallLoss)))",
      valueName: "db"))
  var wallLoss: Double?

  @Option(
    help: ArgumentHelp(
      "With --flat: standard deviation of the loss from wall to wall and beacon to beacon in dB. (default: \(plain(Flat().wallDeviation)))",
      valueName: "db"))
  var wallDeviation: Double?

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
        "room.beaconCount × storeys.count": "--beacons times --floors", "flat": "--flat",
        "flat.wallLoss": "--wall-loss", "flat.wallDeviation": "--wall-deviation",
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

  /// Returns the flat, or `nil` if there is none.
  func walls() throws(RSSIError) -> Flat? {
    guard flat else {
      guard wallLoss != nil || wallDeviation != nil else { return nil }
      throw RSSIError(
        .usage, "only a flat has walls", in: wallLoss != nil ? "--wall-loss" : "--wall-deviation",
        advice: "add --flat")
    }
    var flat = Flat()
    if let wallLoss { flat.wallLoss = wallLoss }
    if let wallDeviation { flat.wallDeviation = wallDeviation }
    return flat
  }
}

/// The help of a parameter, with its default.
private func help(
  _ text: String, _ parameter: KeyPath<Storeys, Double>, _ valueName: String
) -> ArgumentHelp {
  ArgumentHelp(
    "\(text). (default: \(plain(Storeys()[keyPath: parameter])))", valueName: valueName)
}
