import ArgumentParser
import Positioning
import Support
import TracePipelines

/// What the site's spots do.
struct SpotOptions: ParsableArguments {
  @Flag(help: "Attract positions to the site's spots, like the algorithm attract of `rssi eval`.")
  var spots = false

  @Option(help: ArgumentHelp("With --spots: strength of the attraction, in m³.", valueName: "m³"))
  var spotPower = 0.1

  @Option(
    help: ArgumentHelp(
      "With --spots: dead zone around each spot where positions are not attracted, in metres.",
      valueName: "metres"))
  var spotDeadZone = 0.2

  @Flag(
    help: "Print an event as a line of JSON when a node reaches or leaves a spot.")
  var events = false

  @Option(
    help: ArgumentHelp(
      "With --events: run this program for each event, with the event on its standard input.",
      valueName: "program"), completion: .file())
  var onEvent: String?

  @Option(
    help: ArgumentHelp(
      "Distance within which a node counts as being at a spot, in metres.", valueName: "metres"))
  var spotRadius = SpotWatch.Rule().radius

  @Option(help: ArgumentHelp("Probability above which a node has reached a spot.", valueName: "p"))
  var spotReached = SpotWatch.Rule().reached

  @Option(help: ArgumentHelp("Probability below which a node has left a spot.", valueName: "p"))
  var spotLeft = SpotWatch.Rule().left

  /// Fills in a request.
  ///
  /// - Throws: `RSSIError` for a program that gets no event.
  func apply(to request: inout LocateRequest) throws {
    if onEvent != nil, !events { throw RSSIError(.usage, "--on-event goes with --events") }
    request.spots = spots
    request.spotPower = spotPower
    request.spotDeadZone = spotDeadZone
    request.events = events
    request.spotRule = SpotWatch.Rule(
      radius: spotRadius, reached: spotReached, left: spotLeft)
  }
}
