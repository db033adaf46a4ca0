package import PathLoss
public import Registries
import Sightings
public import Support

/// The choice of received beacons to calibrate.
public struct BeaconsToCalibrate: Sendable {
  /// The beacons that the user named.
  public private(set) var choices: [BeaconChoice]
  /// A Boolean value that is true if all received beacons are chosen.
  let isAll: Bool
  /// The names that users give to beacons.
  public let names: BeaconNames
  private var isSettled = false
  /// A Boolean value that is true if no beacon was named, and the only one received is taken.
  private var isGuessed = false

  /// Creates a choice of named beacons, or of all beacons.
  public init(choices: [BeaconChoice], isAll: Bool, names: BeaconNames = .none) {
    self.choices = choices
    self.names = names
    self.isAll = isAll
  }

  /// Returns the names of the beacons, in order.
  ///
  /// - Throws: `RSSIError` if several beacons match a choice, or none does.
  package func names(in table: PoseMeasurements) throws(RSSIError) -> [String] {
    try requireOne(in: table)
    for meant in meant(in: table) where meant.names.isEmpty {
      throw RSSIError(
        .badInput,
        "\(meant.asked ?? "a beacon") was not heard; "
          + (listed(in: table).map { "heard: \($0)" } ?? "nothing was heard"))
    }
    return names(heardIn: table)
  }

  /// Returns the names of those that were received, in order.
  package func names(heardIn table: PoseMeasurements) -> [String] {
    Set(meant(in: table).flatMap(\.names)).sorted()
  }

  /// Refuses several beacons if the choice does not single one out.
  package func requireOne(in table: PoseMeasurements) throws(RSSIError) {
    guard !isAll else { return }
    for meant in meant(in: table) where meant.names.count > 1 {
      let meaning = meant.asked.map { " that match \($0)" } ?? ""
      throw RSSIError(
        .badInput,
        "\(meant.names.count) beacons were heard\(meaning), and their levels would be mixed: choose "
          + "with `beacon` (repeatable), or calibrate each with `allBeacons`: "
          + "\(listed(meant.names, table))"
      )
    }
  }

  /// Restricts the choice to these beacons from now on, unless all are chosen.
  public mutating func settle(on names: [String]) throws(RSSIError) {
    guard !isAll, !isSettled else { return }
    isSettled = true
    isGuessed = choices.isEmpty
    choices = []
    for name in names { choices.append(try BeaconChoice(name)) }
  }

  /// Returns the beacons that appeared after the only one received until then was taken, in words.
  package func bystanders(in table: PoseMeasurements) -> [String] {
    guard isGuessed else { return [] }
    let others = table.heard.keys.filter { name in
      !name.hasPrefix("addr:") && !choices.contains { $0.matches(name) }
    }
    return others.isEmpty ? [] : ["also heard, and left out: \(listed(others, table))"]
  }

  /// Returns the received beacons in words; nil if there are none.
  package func listed(in table: PoseMeasurements) -> String? {
    table.heard.isEmpty ? nil : listed(table.heard.keys.sorted(), table)
  }

  /// Returns the smallest number of packets among the chosen beacons.
  package func fewest(of levels: [String: PoseLevels], in table: PoseMeasurements) -> (
    packets: Int, of: String?
  ) {
    meant(in: table)
      .map { meant in (meant.names.compactMap { levels[$0]?.samples }.max() ?? 0, meant.asked) }
      .min { $0.0 < $1.0 } ?? (0, nil)
  }

  /// Returns the beacons that match each choice; without choices, those with an identity.
  private func meant(in table: PoseMeasurements) -> [(asked: String?, names: [String])] {
    let heard = table.heard.keys.sorted()
    guard !choices.isEmpty else {
      // Phones and headsets are everywhere; a beacon with an identity is the one on the bench.
      let named = heard.filter { !$0.hasPrefix("addr:") }
      return [(nil, named.isEmpty ? heard : named)]
    }
    return choices.map { choice in
      let names = heard.filter { name in
        choice.matches(name) || choice.address.map { table.isSent(name, from: $0) } ?? false
      }
      return (choice.text, names)
    }
  }

  /// Returns up to five names, those with most sightings first.
  private func listed(_ names: [String], _ table: PoseMeasurements) -> String {
    let ordered = names.sorted { (-(table.heard[$0] ?? 0), $0) < (-(table.heard[$1] ?? 0), $1) }
    let short = shortIdentities(ordered, besides: choices.map(\.text))
    let shown = zip(ordered, short).prefix(5).map { name, short in
      let label = self.names[name].map { "\($0) (\(short))".printable } ?? short
      return "\(label) (\(counted(table.heard[name] ?? 0, "sighting")))"
    }
    return shown.joined(separator: ", ") + (names.count > 5 ? ", … (\(names.count))" : "")
  }
}
