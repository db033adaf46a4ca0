public import Support
public import TracePipelines

/// A bench measurement: its source and its poses.
public struct BenchRequest {
  /// The source to listen to.
  public var source: SourceRequest
  /// The beacons, the precision and the distances; its `inputs` and `series` are empty.
  public var calibration = CalibrateRequest()
  /// The number of unnamed poses at each distance; nil = 4, or the number of names.
  public var poses: Int?
  /// The time of listening in each pose.
  public var duration: Duration = .seconds(20)
  /// The time of waiting before each pose.
  public var countdown: Duration = .seconds(3)
  /// A Boolean value that is true if each pose begins when its countdown ends, without an answer.
  public var yes = false
  /// The trace to write of everything that is received; nil = none.
  public var record: String?
  /// The person at the bench, who places beacons.
  public var person: (any BenchOperator)?

  /// The permitted times of listening in a pose.
  public static let durations = DurationRange(.nanoseconds(1)...Duration.day, such: "20s or 1m")
  /// The permitted times of waiting before a pose.
  public static let countdowns = DurationRange(.zero...Duration.day, such: "3s or 0")

  /// Creates a bench measurement with a source.
  public init(_ source: SourceRequest) { self.source = source }

  /// Refuses a bench that cannot be measured.
  ///
  /// - Throws: `RSSIError` of kind `usage` for values that are out of range or exclude each other.
  public func check() throws(RSSIError) {
    try calibration.check()
    let distances = calibration.distance
    guard Set(distances).count == distances.count else {
      throw RSSIError(.usage, "`distance` contains a distance twice: increase `poses` instead")
    }
    guard calibration.pose.isEmpty || poses == nil else {
      throw RSSIError(
        .usage, "`poses` and `pose` do not go together: give the number of poses or their names")
    }
    guard (1...1000).contains(poses ?? 1) else {
      throw RSSIError(.usage, "`poses` \(poses ?? 0): expected 1 to 1000")
    }
    try Self.durations.require(duration, "`duration`")
    try Self.countdowns.require(countdown, "`countdown`")
    for choice in try calibration.beacons().choices where choice.patterns.isEmpty {
      throw RSSIError(
        .usage,
        "\"\(choice.text)\" is neither a beacon nor a name in the registry: write UUID, "
          + "UUID:MAJOR, UUID:MAJOR:MINOR or an identity as `rssi export` prints it")
    }
  }
}

/// The course of a guided bench.
public struct BenchPlan: Equatable, Sendable {
  /// A pose of the plan: its name and its distance.
  public struct Stop: Equatable, Sendable {
    /// The name of the pose.
    public var name: String
    /// The distance from the receiver to the beacon, in metres.
    public var distance: Double
  }

  /// Every pose at every distance, in the order in which people move least.
  public var stops: [Stop]
  /// A Boolean value that is true if the poses have names that describe how to hold the device.
  public var isNamed: Bool
  /// The time of listening in each pose.
  public var duration: Duration
  /// The time of waiting before each pose.
  public var countdown: Duration
  /// A Boolean value that is true if each pose waits for an answer.
  public var waits: Bool

  init(_ request: BenchRequest) {
    let names = request.calibration.pose
    let distances = request.calibration.distance
    isNamed = !names.isEmpty
    duration = request.duration
    countdown = request.countdown
    waits = !request.yes
    let poses = isNamed ? names : (1...(request.poses ?? 4)).map { "pose \($0)" }
    stops = (distances.isEmpty ? [1] : distances).flatMap { distance in
      poses.map { Stop(name: $0, distance: distance) }
    }
  }

  /// The number of poses at each distance.
  public var posesAtEach: Int { stops.filter { $0.distance == stops[0].distance }.count }

  /// The maximum number of tries of a pose with too few packets: unlimited if the operator is
  /// asked, else 2.
  var tries: Int { waits ? .max : 2 }
}
