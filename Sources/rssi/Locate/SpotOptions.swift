import ArgumentParser
import Geometry
import Positioning
import Support

/// What the site's spots do.
struct SpotOptions: ParsableArguments {
  @Flag(help: "Attract positions to the site's spots, like the algorithm attract of `rssi eval`.")
  var spots = false

  @Option(help: "With --spots: strength of the attraction, in m³.")
  var spotPower = 0.1

  @Option(
    help: "With --spots: dead zone around each spot where positions are not attracted, in metres.")
  var spotDeadZone = 0.2

  @Flag(
    help: "Print an event as a line of JSON when a node reaches or leaves a spot.")
  var events = false

  @Option(
    help: "With --events: run this program for each event, with the event on its standard input.")
  var onEvent: String?

  @Option(help: "Distance within which a node counts as being at a spot, in metres.")
  var spotRadius = SpotWatch.Rule().radius

  @Option(help: "Probability above which a node has reached a spot.")
  var spotReached = SpotWatch.Rule().reached

  @Option(help: "Probability below which a node has left a spot.")
  var spotLeft = SpotWatch.Rule().left

  var rule: SpotWatch.Rule {
    SpotWatch.Rule(radius: spotRadius, reached: spotReached, left: spotLeft)
  }

  /// - Throws: `RSSIError` for numbers that cannot be.
  func check(site: String?) throws {
    func refuse(_ words: String) throws { throw RSSIError(.usage, words) }
    if !(0...1e6 ~= spotPower) { try refuse("--spot-power \(spotPower): write a number from 0 on") }
    if !(0...1e6 ~= spotDeadZone) {
      try refuse("--spot-dead-zone \(spotDeadZone): write metres from 0 on")
    }
    if !(0.01...1e6 ~= spotRadius) {
      try refuse("--spot-radius \(spotRadius): write metres from 0.01 on")
    }
    if !(spotLeft > 0 && spotLeft <= spotReached && spotReached < 1) {
      try refuse(
        "--spot-left \(spotLeft) and --spot-reached \(spotReached): write probabilities between 0 "
          + "and 1, the first not above the second"
      )
    }
    if onEvent != nil, !events { try refuse("--on-event goes with --events") }
    if spots || events, site == nil {
      try refuse(
        "\(events ? "--events" : "--spots") needs the spots of a site: name the file with --site")
    }
  }

  /// The algorithm, drawn to spots where that is asked.
  func drawing(_ algorithm: any PositioningAlgorithm, named name: String) -> (
    any PositioningAlgorithm, String
  ) {
    guard spots else { return (algorithm, name) }
    let whole =
      "attract:to=spots,of=\(name.replacing(",", with: "+")),power=\(plain(spotPower)),dead-zone=\(plain(spotDeadZone))"
    return (Attraction(of: algorithm, power: spotPower, deadZone: spotDeadZone, name: whole), whole)
  }
}
