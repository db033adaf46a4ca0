import LivePipelines
import Support

/// What a guided measurement goes through.
struct BenchPlan {
  struct Stop: Equatable {
    var name: String
    /// Metres.
    var distance: Double
  }

  var source: SourceName
  /// Every pose at every distance, in the order in which people move least.
  var stops: [Stop]
  /// Whether the poses have names that say how to hold the device.
  var isNamed: Bool
  /// Nanoseconds of listening in each pose.
  var duration: Int64
  /// Nanoseconds before each pose.
  var countdown: Int64
  /// Whether somebody presses Enter before each pose.
  var waits: Bool

  init(source: SourceName, _ options: PoseOptions) throws {
    self.source = source
    let distances = try options.distances()
    guard Set(distances).count == distances.count else {
      throw RSSIError(.usage, "--distance names a distance twice: ask for more --poses there")
    }
    let names = try options.names()
    isNamed = !options.pose.isEmpty
    duration = try options.durationTime()
    countdown = try options.countdownTime()
    let day: Int64 = 86_400_000_000_000
    guard duration <= day, countdown <= day else {
      throw RSSIError(
        .usage,
        "nobody waits longer than a day for a pose: shorten --duration and --countdown")
    }
    waits = !options.yes
    stops = (distances.isEmpty ? [1] : distances).flatMap { distance in
      names.map { Stop(name: $0, distance: distance) }
    }
  }

  /// Poses at each distance.
  var posesAtEach: Int { stops.filter { $0.distance == stops[0].distance }.count }

  /// How often a pose is tried in which too little was heard: until somebody ends it, or twice
  /// where nobody is asked.
  var tries: Int { waits ? .max : 2 }
}
