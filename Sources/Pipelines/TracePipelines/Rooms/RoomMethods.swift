import Evaluation
import Geometry
import Rooms
import Sites
import Support

/// The methods that are compared: trained rooms with the levels so far, with some later ones and
/// with all, and the room of the nearest anchor.
struct RoomMethods: Sendable {
  /// One answer: the announced room, and the probability of each if the method has them.
  struct Answer {
    var room: Int?
    var probabilities: [Double] = []
  }

  private let model: RoomModel
  private let lag: Int
  private let threshold: Double
  /// The room of each anchor; nil if it is in none.
  private let roomOfAnchor: [Int?]
  /// The names of the methods.
  let names: [String]

  /// - Parameter site: The site whose anchors have places; nil for the rooms in which they are
  ///   loudest.
  init(_ file: RoomsFile, site: Site?, lag: Duration, threshold: Double) {
    (model, self.threshold) = (file.model, threshold)
    self.lag = max(1, Int((lag / Duration.seconds(file.model.window)).rounded()))
    names = [
      "rooms", "rooms, \(written(duration: lag)) late", "rooms, in hindsight", "nearest anchor",
    ]
    let outlines = RoomOutlines(site)
    roomOfAnchor = model.anchors.indices.map { [model] anchor in
      if let node = site?.anchors.first(where: { $0.node == model.anchors[anchor] }),
        let room = outlines.room(at: node.place, floor: node.floor)
      {
        return model.rooms.firstIndex { $0.name == room.name }
      }
      return model.loudestRoom(ofAnchor: anchor)
    }
  }

  /// Returns the answers of each method to the epochs of a recording.
  func answers(_ epochs: [RoomEpoch]) -> [[Answer]] {
    let trained = RoomFilter(model).smoothed(epochs, lags: [0, lag, nil]).map { probabilities in
      var announcement = RoomAnnouncement(threshold: threshold)
      return probabilities.map { probabilities in
        announcement.update(probabilities)
        return Answer(room: announcement.room, probabilities: probabilities)
      }
    }
    var nearest: Int?
    let loudest = epochs.map { epoch in
      if let level = epoch.levels.max(by: { $0.rssi < $1.rssi }) {
        nearest = roomOfAnchor[level.anchor]
      }
      return Answer(room: nearest)
    }
    return trained + [loudest]
  }
}

extension RoomModel {
  /// Returns the room in which an anchor is loudest on average; nil if it is heard in none.
  fileprivate func loudestRoom(ofAnchor anchor: Int) -> Int? {
    let means = rooms.indices.map { room in
      signatures.filter { $0.room == room }
        .reduce(0) { $0 + $1.share * ($1.heard[anchor] > 0.1 ? $1.levels[anchor] : -127) }
    }
    return rooms.indices.filter { rooms[$0].name != Self.outside }
      .max { means[$0] < means[$1] }
  }
}
