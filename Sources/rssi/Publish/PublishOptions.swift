import ArgumentParser
import Capture
import LivePipelines
import Registries
import Reporting
import Support

/// The broker that receives the state of tracked nodes.
struct PublishOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Publish tracked nodes for Home Assistant at mqtt://[USER@]HOST[:PORT][/PREFIX] (default prefix: rssi).",
      valueName: "url"))
  var publish: String?

  @Flag(
    help: ArgumentHelp(
      "With a registry, also publish beacons that it does not name."
    ))
  var publishStrangers = false

  /// Connects before anything else is opened; returns nil without the option.
  ///
  /// - Parameters:
  ///   - login: the credentials for the broker and the source.
  ///   - registry: if it has entries, beacons without a name are left out unless asked for.
  ///   - fixed: beacons at known places, which are not tracked.
  ///   - asked: the nodes that are located; empty = all.
  ///   - epoch: the time between two positions.
  func begin(
    _ login: LoginOptions, _ names: BeaconNames, knowing registry: Registry, fixed: [String] = [],
    asked: [String] = [], epoch: Duration = .seconds(1), _ log: ConsoleLog
  ) throws -> PublishedState? {
    guard let publish else {
      guard !publishStrangers else {
        throw RSSIError(.usage, "--publish-strangers needs --publish")
      }
      return nil
    }
    var options = GatewayOptions()
    login.set(&options)
    let publisher = try StatePublisher(publish, options: options, log: log)
    let board = HomeAssistantBoard(
      names: names, fixed: Set(fixed), asked: Set(asked),
      takesStrangers: registry.beacons.isEmpty || publishStrangers, tool: .program,
      prefix: publisher.prefix, epoch: epoch.nanoseconds, log: log
    ) { topic, payload in publisher.set(payload, at: topic) }
    return PublishedState(board: board, publisher: publisher)
  }

  /// Refuses the option if the input has an end.
  func refuse(_ stage: String) throws {
    try refuseWhereItEnds("--publish", publish, stage)
  }
}

/// The state that is published, until it is ended.
struct PublishedState {
  let board: HomeAssistantBoard
  fileprivate let publisher: StatePublisher

  func end() { publisher.end() }
}
