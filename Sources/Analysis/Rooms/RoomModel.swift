import RealModule

/// The knowledge about levels in each room, as a training gives it and a file keeps it.
///
/// A room has some *signatures*: the levels at one of its places. A node is at one signature at a
/// time; it goes to another one of the room now and then, and through a door into a neighbouring
/// room. ``RoomFilter`` follows it.
///
/// ```swift
/// let training = RoomTraining(names: names, anchors: anchors, stretches: stretches)
/// let model = try training.result().model
/// var filter = RoomFilter(model)
/// let probabilities = filter.update(RoomEpoch(time: now, window: 1_000_000_000, levels: levels))
/// ```
public struct RoomModel: Codable, Equatable, Sendable {
  /// The name of the reserved room for everywhere else.
  public static let outside = "outside"

  /// One room with its times and its neighbours.
  public struct Room: Codable, Equatable, Sendable {
    /// The name of the room.
    public var name: String
    /// The name of its floor; nil on a site of at most one.
    public var floor: String?
    /// The mean time of a stay, in seconds.
    public var dwell: Double
    /// The time of training, in seconds; 0 for a room that is assumed.
    public var trained: Double
    /// The rooms that a node can go to directly, by number; empty for all.
    public var neighbours: [Int]

    private enum CodingKeys: String, CodingKey {
      case name, floor, neighbours
      case dwell = "dwell_s"
      case trained = "trained_s"
    }

    /// Creates a room; times are in seconds.
    public init(
      name: String, floor: String? = nil, dwell: Double, trained: Double, neighbours: [Int] = []
    ) {
      (self.name, self.floor, self.dwell) = (name, floor, dwell)
      (self.trained, self.neighbours) = (trained, neighbours)
    }
  }

  /// The levels at one place of a room, one per anchor.
  public struct Signature: Codable, Equatable, Sendable {
    /// The number of the room.
    public var room: Int
    /// The share of the stays in the room that are there.
    public var share: Double
    /// The mean levels, in dBm.
    public var levels: [Double]
    /// The standard deviations of levels, in dB.
    public var deviations: [Double]
    /// The probabilities that the anchors are heard in a window.
    public var heard: [Double]

    private enum CodingKeys: String, CodingKey {
      case room, share, heard
      case levels = "levels_dbm"
      case deviations = "deviations_db"
    }

    /// Creates a signature; levels are in dBm, and deviations in dB.
    public init(
      room: Int, share: Double, levels: [Double], deviations: [Double], heard: [Double]
    ) {
      (self.room, self.share, self.levels) = (room, share, levels)
      (self.deviations, self.heard) = (deviations, heard)
    }
  }

  /// The names of the fixed nodes whose levels are compared.
  public var anchors: [String]
  /// The rooms, of which at most one is ``outside``.
  public var rooms: [Room]
  /// The signatures of all rooms.
  public var signatures: [Signature]
  /// The window of the levels, in seconds.
  public var window: Double
  /// The time over which the errors of levels are correlated, in seconds.
  public var correlationTime: Double
  /// The mean stay that the filter assumes, as a share of the mean stay in each room.
  public var pace: Double
  /// The mean time at one place of a room, in seconds.
  public var placeTime: Double
  /// The share of answers that know nothing, in which any room is equally likely.
  public var doubt: Double
  /// The time by which intervals of changes are widened at both ends, in seconds.
  public var changeMargin: Double

  private enum CodingKeys: String, CodingKey {
    case anchors, rooms, signatures, pace, doubt
    case window = "window_s"
    case correlationTime = "correlation_time_s"
    case placeTime = "place_time_s"
    case changeMargin = "change_margin_s"
  }

  /// Creates a model; times are in seconds.
  public init(
    anchors: [String], rooms: [Room], signatures: [Signature], window: Double,
    correlationTime: Double, pace: Double = 1, placeTime: Double = 10, doubt: Double = 0,
    changeMargin: Double = 0
  ) {
    (self.anchors, self.rooms, self.signatures) = (anchors, rooms, signatures)
    (self.window, self.correlationTime) = (window, correlationTime)
    (self.pace, self.placeTime) = (pace, placeTime)
    (self.doubt, self.changeMargin) = (doubt, changeMargin)
  }

  /// The problem of a model that no training gives; nil if it can be used.
  public var defect: String? {
    let (places, rooms) = (anchors.count, self.rooms.indices)
    guard places > 0, !signatures.isEmpty else { return "it has no anchors or no signatures" }
    guard Set(anchors).count == places else { return "it has an anchor twice" }
    guard window > 0, window < 1e6, correlationTime >= 0, correlationTime < 1e6, placeTime > 0,
      placeTime < 1e9, pace > 0, pace <= 1, changeMargin >= 0, changeMargin < 1e6,
      (0...1).contains(doubt)
    else { return "its times are out of range" }
    for room in self.rooms {
      guard room.dwell > 0, room.dwell < 1e9, room.neighbours.allSatisfy(rooms.contains) else {
        return "the room \(room.name) has an impossible dwell time or neighbour"
      }
    }
    for signature in signatures {
      guard rooms.contains(signature.room), signature.share > 0, signature.share <= 1,
        signature.levels.count == places, signature.deviations.count == places,
        signature.heard.count == places, signature.levels.allSatisfy(\.isFinite),
        signature.deviations.allSatisfy({ $0 > 0 && $0 < 1e3 }),
        signature.heard.allSatisfy({ (0...1).contains($0) })
      else { return "a signature does not fit its room or the anchors" }
    }
    return nil
  }
}

/// The levels of a node in one window.
public struct RoomEpoch: Equatable, Sendable {
  /// The mean level of one anchor.
  public struct Level: Equatable, Sendable {
    /// The number of the anchor in the model.
    public var anchor: Int
    /// The mean level, in dBm.
    public var rssi: Double

    /// Creates a level in dBm.
    public init(anchor: Int, rssi: Double) { (self.anchor, self.rssi) = (anchor, rssi) }
  }

  /// The end of the window, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The length of the window, in nanoseconds.
  public var window: Int64
  /// The levels of the anchors that were heard, at most one per anchor.
  public var levels: [Level]

  /// Creates an epoch; times are in nanoseconds.
  public init(time: Int64, window: Int64, levels: [Level]) {
    (self.time, self.window, self.levels) = (time, window, levels)
  }
}

extension RoomModel {
  /// Returns the log likelihood of each signature: Student's t distribution of the level of an
  /// anchor that was heard, and the probability of silence of one that was not.
  ///
  /// - Complexity: O(signatures × anchors).
  func logLikelihoods(of epoch: RoomEpoch) -> [Double] {
    var levels = [Double](repeating: .nan, count: anchors.count)
    for level in epoch.levels where levels.indices.contains(level.anchor) {
      levels[level.anchor] = level.rssi
    }
    // The probability to hear nothing falls with the length of the window.
    let windows = seconds(epoch.window) / window
    return signatures.map { signature in
      var sum = 0.0
      for anchor in levels.indices {
        let silent = Double.pow(1 - signature.heard[anchor], windows)
        let bounded = min(1 - Self.leastProbability, max(Self.leastProbability, silent))
        guard levels[anchor].isFinite else {
          sum += .log(bounded)
          continue
        }
        let deviation = signature.deviations[anchor]
        let score = (levels[anchor] - signature.levels[anchor]) / deviation
        sum += .log(1 - bounded) - .log(deviation)
        sum -= (Self.freedom + 1) / 2 * .log(onePlus: score * score / Self.freedom)
      }
      return sum
    }
  }

  /// The degrees of freedom of levels, which let one anchor be wrong.
  private static let freedom = 5.0
  /// The least probability that an anchor is heard, or is not.
  private static let leastProbability = 0.02

  private func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
}
