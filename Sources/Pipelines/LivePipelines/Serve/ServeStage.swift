import Sightings
public import Support
public import TracePipelines

/// A service: its source, its watch, its locating, and its recordings.
public struct ServeRequest {
  /// The source to listen to.
  public var source: SourceRequest
  /// The watch of its sightings, and the locating of nodes.
  public var watch: WatchRequest
  /// The folder for recordings, with a slash at its end; nil for none.
  public var recordings: String?
  /// The requests of clients; nil if there are none.
  package var desk: ServeDesk?
  /// Nodes at known places, which recordings name.
  package var anchors: KnownAnchors?

  /// Creates a service that watches a source.
  public init(_ source: SourceRequest, _ watch: WatchRequest) {
    (self.source, self.watch) = (source, watch)
    self.watch.input = .source(source)
  }

  /// Refuses a service that cannot run.
  ///
  /// - Throws: `RSSIError` for values that cannot be watched, and a folder that cannot be written.
  public func check() throws(RSSIError) {
    try watch.check()
    if let recordings { try requireFolder(recordings) }
  }
}

/// Watches, locates and records the sightings of a source, until it ends or the user stops it; a
/// replay that has ended remains visible until the user stops it.
public struct ServeStage: Stage {
  private let request: ServeRequest

  public init(_ request: ServeRequest) { self.request = request }

  /// Watches, locates and records until the source ends or the user stops it.
  ///
  /// - Throws: `RSSIError` for a request or a source that cannot be used; errors of the outputs.
  public func perform(in context: LiveContext) throws {
    try request.check()
    let name = request.source.name
    let desk = request.desk ?? ServeDesk { _ in }
    let replay = name.isReplay ? ReplayTime(context.clock) : nil
    let watched = WatchedSightings(
      request.watch, into: request.watch.output,
      places: try WatchedPlaces(request.watch, context.log), log: context.log)
    let live = try LiveSightings(
      LiveWatch(watched, replay: replay, context), of: name, receiver: request.watch.receiver,
      context)
    var served = ServedSightings(live, request, desk, context)
    do {
      try request.source.listen(into: &served, clock: replay?.clock ?? context.clock)
    } catch {
      try served.finish(isWhole: false)
      throw error
    }
    try served.finish(isWhole: true)
    guard name.isReplay, !context.control.isStopAsked else { return }
    context.log.note("the replay has ended: its last state stays visible until you press Ctrl-C")
    while !context.control.isStopAsked {
      for _ in desk.takeWishes() { desk.report(.failed("the replay has ended")) }
      context.clock.pause(50)
    }
  }
}
