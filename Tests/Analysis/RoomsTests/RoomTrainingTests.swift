import NumericalMethods
import RealModule
import Rooms
import Support
import Testing

/// Recordings of walks between three rooms with one anchor each, whose windows are independent.
private func recordings(seed: UInt64, count: Int, walls: Double = 15) -> [RoomStretch] {
  var random = SplitMix64(seed: seed)
  func uniform() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
  func gaussian() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
  return (0..<count).map { recording in
    var (epochs, rooms, room): ([RoomEpoch], [Int], Int) = ([], [], Int(random.next() % 3))
    for second in 1...240 {
      if uniform() < 1 / 30.0 { room = (room + 1 + Int(random.next() % 2)) % 3 }
      let levels = (0..<3).compactMap { anchor -> RoomEpoch.Level? in
        guard uniform() < 0.8 else { return nil }
        let mean = anchor == room ? -60.0 : -60 - walls
        return RoomEpoch.Level(anchor: anchor, rssi: (mean + 6 * gaussian()).rounded())
      }
      epochs.append(
        RoomEpoch(time: Int64(second) * 1_000_000_000, window: 1_000_000_000, levels: levels))
      rooms.append(room)
    }
    return RoomStretch(recording: recording, epochs: epochs, rooms: rooms)
  }
}

private func training(_ stretches: [RoomStretch]) -> RoomTraining {
  RoomTraining(names: ["a", "b", "c"], anchors: ["x", "y", "z"], stretches: stretches)
}

/// Returns the share of epochs whose most probable room is the true one.
private func right(_ stretch: RoomStretch, _ probabilities: [[Double]]) -> Double {
  let hits = zip(stretch.rooms, probabilities).count { room, probabilities in
    probabilities[room] == probabilities.max()
  }
  return Double(hits) / Double(stretch.rooms.count)
}

@Suite("Training of rooms")
struct RoomTrainingTests {
  @Test("levels that are predicted find rooms as recorded ones do")
  func predicted() {
    let places = (0..<3).flatMap { room in
      (0..<30).map { place in
        PredictedPlace(
          room: room,
          levels: (0..<3).map { $0 == room ? -60 : $0 == 2 && place % 2 == 0 ? .nan : -75 },
          deviations: [6, 6, 6], heard: [0.8, 0.8, 0.8])
      }
    }
    let model = training([]).predictedModel(of: places, window: 1)
    #expect(model.defect == nil)
    #expect(model.rooms.map(\.name) == ["a", "b", "c", "outside"])
    for room in 0..<3 {
      let shares = model.signatures.filter { $0.room == room }.map(\.share)
      #expect(abs(shares.reduce(0, +) - 1) < 1e-9)
    }
    for stretch in recordings(seed: 5, count: 5) {
      var filter = RoomFilter(model)
      #expect(right(stretch, stretch.epochs.map { filter.update($0) }) > 0.85)
    }
  }

  @Test("held-out rooms are right most of the time, and other recordings agree", arguments: 1...3)
  func learned(seed: Int) throws {
    let result = try training(recordings(seed: UInt64(seed), count: 6)).result()
    #expect(result.unit == .recording)
    #expect(result.model.defect == nil)
    #expect(result.model.rooms.map(\.name) == ["a", "b", "c", RoomModel.outside])
    for held in result.heldOut { #expect(right(held.stretch, held.probabilities) > 0.85) }
    for stretch in recordings(seed: UInt64(100 + seed), count: 3) {
      var filter = RoomFilter(result.model)
      #expect(right(stretch, stretch.epochs.map { filter.update($0) }) > 0.85)
    }
  }

  @Test("probabilities about new recordings are as frequent as they claim")
  func calibrated() throws {
    let model = try training(recordings(seed: 7, count: 10, walls: 8)).result().model
    var claims = [(count: Int, sum: Double, held: Int)](repeating: (0, 0, 0), count: 5)
    for stretch in recordings(seed: 8, count: 60, walls: 8) {
      var filter = RoomFilter(model)
      for (epoch, room) in zip(stretch.epochs, stretch.rooms) {
        for (number, probability) in filter.update(epoch).enumerated() {
          let range = min(4, Int(5 * probability))
          claims[range].count += 1
          claims[range].sum += probability
          claims[range].held += number == room ? 1 : 0
        }
      }
    }
    for claim in claims where claim.count > 500 {
      let (claimed, held) = (
        claim.sum / Double(claim.count), Double(claim.held) / Double(claim.count)
      )
      #expect(abs(claimed - held) < 0.08, "claimed \(claimed), held \(held)")
    }
  }

  @Test("a room that was recorded once is held out in parts")
  func parts() throws {
    var whole = recordings(seed: 3, count: 3)
    for index in whole.indices { whole[index].recording = 0 }
    #expect(try training(whole).result().unit == .part)
  }

  @Test("fewer than two rooms are refused, with the number of windows of each")
  func refused() throws {
    var one = recordings(seed: 4, count: 2)
    for index in one.indices { one[index].rooms = one[index].rooms.map { _ in 0 } }
    let error = #expect(throws: RSSIError.self) { try training(one).result() }
    #expect("\(try #require(error))".contains("b 0"))
  }

  @Test("the same recordings give the same model")
  func deterministic() throws {
    let stretches = recordings(seed: 5, count: 4)
    #expect(try training(stretches).result().model == training(stretches).result().model)
  }
}
