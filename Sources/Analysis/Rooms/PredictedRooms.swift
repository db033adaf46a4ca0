/// The levels that are predicted at one place of a room, such as by a radio map; one per anchor.
public struct PredictedPlace: Sendable {
  /// The number of the room.
  public var room: Int
  /// The mean levels of a window, in dBm; NaN for anchors that are not known there.
  public var levels: [Double]
  /// The standard deviations of a window's levels, in dB.
  public var deviations: [Double]
  /// The probabilities that the anchors are heard in a window.
  public var heard: [Double]

  /// Creates a place; levels are in dBm, and deviations in dB.
  public init(room: Int, levels: [Double], deviations: [Double], heard: [Double]) {
    (self.room, self.levels, self.deviations, self.heard) = (room, levels, deviations, heard)
  }
}

extension RoomTraining {
  /// Returns the model of rooms whose levels are predicted instead of recorded.
  ///
  /// The signatures of a room are groups of places with like levels. As no changes of rooms were
  /// recorded, the dynamics are those of the simulated flat.
  ///
  /// - Parameter window: The length of the windows, in seconds.
  public func predictedModel(of places: [PredictedPlace], window: Double) -> RoomModel {
    var model = model(of: [])
    model.window = window
    (model.correlationTime, model.pace, model.placeTime) = (2, 0.1, 3)
    (model.doubt, model.changeMargin) = (0.02, 2)
    let grouped = names.indices.map { room in places.filter { $0.room == room } }
    let silent = silentLevels(in: grouped.map { $0.map(\.levels) })
    let signatures = grouped.enumerated().flatMap { room, places in
      Self.groups(of: places.map(\.levels), at: silent).map { group in
        RoomModel.Signature(
          room: room, predicted: group.map { places[$0] }, of: places.count, silent: silent)
      }
    }
    model.signatures = signatures + outside(at: silent, in: model.rooms.count - 1)
    return model
  }
}

extension RoomModel.Signature {
  /// Creates the mixture of some places; an anchor that is not known at a place is not heard there.
  fileprivate init(room: Int, predicted places: [PredictedPlace], of all: Int, silent: [Double]) {
    let count = Double(places.count)
    var (levels, deviations, heard): ([Double], [Double], [Double]) = ([], [], [])
    for anchor in silent.indices {
      let known = places.filter { $0.levels[anchor].isFinite }
      let share = Double(known.count)
      let mean = known.reduce(0) { $0 + $1.levels[anchor] } / share
      let variance =
        known.reduce(0) { sum, place in
          let (off, own) = (place.levels[anchor] - mean, place.deviations[anchor])
          return sum + off * off + own * own
        } / share
      levels.append(known.isEmpty ? silent[anchor] : mean)
      deviations.append(known.isEmpty ? RoomTraining.deviationOutside : variance.squareRoot())
      heard.append(known.reduce(0) { $0 + $1.heard[anchor] } / count)
    }
    self.init(
      room: room, share: count / Double(all), levels: levels, deviations: deviations, heard: heard)
  }
}
