import NumericalMethods
import RealModule
import Rooms
import Testing

/// A model of two rooms with one anchor each, in one signature per room.
private func pair(correlationTime: Double = 0, dwell: Double = 60) -> RoomModel {
  RoomModel(
    anchors: ["a", "b"],
    rooms: [
      RoomModel.Room(name: "hall", dwell: dwell, trained: 60),
      RoomModel.Room(name: "study", dwell: dwell, trained: 60),
    ],
    signatures: [
      RoomModel.Signature(
        room: 0, share: 1, levels: [-60, -75], deviations: [5, 5], heard: [0.9, 0.5]),
      RoomModel.Signature(
        room: 1, share: 1, levels: [-75, -60], deviations: [5, 5], heard: [0.5, 0.9]),
    ],
    window: 1, correlationTime: correlationTime)
}

private func epoch(_ seconds: Double, _ levels: [(Int, Double)]) -> RoomEpoch {
  RoomEpoch(
    time: Int64(seconds * 1e9), window: 1_000_000_000,
    levels: levels.map { RoomEpoch.Level(anchor: $0.0, rssi: $0.1) })
}

/// A model with several signatures, doors and random numbers.
private func randomModel(_ random: inout SplitMix64, correlationTime: Double = 3) -> RoomModel {
  func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(random.next() >> 11) / Double(1 << 53)
  }
  let rooms = [
    RoomModel.Room(name: "a", dwell: uniform(5, 50), trained: 60, neighbours: [1]),
    RoomModel.Room(name: "b", dwell: uniform(5, 50), trained: 60, neighbours: [0, 2]),
    RoomModel.Room(name: "c", dwell: uniform(5, 50), trained: 60),
  ]
  let shares = [[0.25, 0.75], [1], [0.5, 0.5]]
  let signatures = shares.enumerated().flatMap { room, shares in
    shares.map { share in
      RoomModel.Signature(
        room: room, share: share, levels: (0..<3).map { _ in uniform(-90, -50) },
        deviations: (0..<3).map { _ in uniform(2, 8) },
        heard: (0..<3).map { _ in uniform(0.1, 0.9) })
    }
  }
  return RoomModel(
    anchors: ["x", "y", "z"], rooms: rooms, signatures: signatures, window: 1,
    correlationTime: correlationTime)
}

private func randomEpochs(_ random: inout SplitMix64, count: Int) -> [RoomEpoch] {
  var time = 1.0
  return (0..<count).map { _ in
    time += Double(random.next() % 4 + 1) / 2
    let levels = (0..<3).compactMap { anchor in
      random.next() % 3 == 0 ? nil : (anchor, -50 - Double(random.next() % 40))
    }
    return epoch(time, levels)
  }
}

@Suite("Bayes filter of rooms")
struct RoomFilterTests {
  @Test("two rooms after one window follow Bayes' theorem in closed form")
  func closedForm() {
    var filter = RoomFilter(pair())
    let probabilities = filter.update(epoch(1, [(0, -60)]))
    // Student's t with five degrees of freedom at 0 and at 3 deviations; silence of the other anchor.
    let hall = 0.9 * (1 - 0.5)
    let study = 0.5 * (1 - 0.9) * Double.pow(1 + 9 / 5.0, -3)
    #expect(abs(probabilities[0] - hall / (hall + study)) < 1e-12)
    #expect(abs(probabilities[0] + probabilities[1] - 1) < 1e-12)
  }

  @Test("without levels a room is left at the rate of its stays")
  func leaving() {
    var filter = RoomFilter(pair(correlationTime: 1e-9, dwell: 10))
    for time in 1...200 { _ = filter.update(epoch(Double(time), [(0, -60), (1, -75)])) }
    let before = filter.update(epoch(201, [(0, -60), (1, -75)]))
    // The same window as in the model, but with levels between those of the rooms.
    let after = filter.update(epoch(206, [(0, -67.5), (1, -67.5)]))
    let stay = Double.exp(-0.5)
    let expected = before[0] * stay + before[1] * (1 - stay)
    #expect(abs(after[0] - expected) < 1e-12)
  }

  @Test("correlated errors count as the share 1 - exp(-t / T) of an independent window")
  func tempering() {
    let (independent, correlated) = (pair(), pair(correlationTime: 4))
    var (first, second) = (RoomFilter(independent), RoomFilter(correlated))
    let window = epoch(1, [(0, -70), (1, -66)])
    let (whole, part) = (first.update(window), second.update(window))
    let share = 1 - Double.exp(-0.25)
    #expect(
      abs(Double.log(part[0] / part[1]) - share * Double.log(whole[0] / whole[1])) < 1e-9)
  }

  @Test("smoothing of all epochs equals the sum over all paths", arguments: 1...20)
  func bruteForce(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let model = randomModel(&random)
    let epochs = randomEpochs(&random, count: 4)
    let smoothed = RoomFilter(model).smoothed(epochs)
    // The filter's own answers about prefixes are the joint probabilities' marginals: the last
    // smoothed answer is the filtered one.
    var filter = RoomFilter(model)
    let filtered = epochs.map { filter.update($0) }
    for room in 0..<3 { #expect(abs(smoothed[3][room] - filtered[3][room]) < 1e-9) }
    let paths = allPaths(model, epochs)
    for number in epochs.indices {
      for room in 0..<3 { #expect(abs(smoothed[number][room] - paths[number][room]) < 1e-9) }
    }
  }

  @Test("a lag of all later epochs is hindsight, and none is the filter", arguments: 1...10)
  func lags(seed: Int) {
    var random = SplitMix64(seed: UInt64(100 + seed))
    let model = randomModel(&random)
    let epochs = randomEpochs(&random, count: 12)
    let smoother = RoomFilter(model)
    var filter = RoomFilter(model)
    let filtered = epochs.map { filter.update($0) }
    for (lagged, expected) in zip(smoother.smoothed(epochs, lag: 0), filtered) {
      for room in 0..<3 { #expect(abs(lagged[room] - expected[room]) < 1e-9) }
    }
    for (lagged, expected) in zip(
      smoother.smoothed(epochs, lag: 50), smoother.smoothed(epochs))
    {
      for room in 0..<3 { #expect(abs(lagged[room] - expected[room]) < 1e-9) }
    }
  }

  @Test("delayed answers are those of as many later epochs", arguments: 0...6)
  func delays(lag: Int) {
    var random = SplitMix64(seed: UInt64(50 + lag))
    let model = randomModel(&random)
    let epochs = (1...12).map { second in
      epoch(Double(second), randomEpochs(&random, count: 1)[0].levels.map { ($0.anchor, $0.rssi) })
    }
    var delayed = RoomTracker(model, lag: .seconds(lag))
    var answers: [RoomTracker.Answer] = []
    for (number, epoch) in epochs.enumerated() {
      answers += delayed.update(epoch)
      #expect(answers.count == max(0, number + 1 - lag))
    }
    answers += delayed.finish()
    #expect(answers.map(\.time) == epochs.map(\.time))
    #expect(answers.map(\.probabilities) == RoomFilter(model).smoothed(epochs, lag: lag))
  }

  @Test("probabilities of random models stay probabilities", arguments: 1...30)
  func properties(seed: Int) {
    var random = SplitMix64(seed: UInt64(1000 + seed))
    let model = randomModel(&random, correlationTime: Double(seed % 4))
    #expect(model.defect == nil)
    var filter = RoomFilter(model)
    for epoch in randomEpochs(&random, count: 300) {
      let probabilities = filter.update(epoch)
      #expect(probabilities.allSatisfy { (0...1).contains($0) })
      #expect(abs(probabilities.reduce(0, +) - 1) < 1e-9)
    }
  }
}

/// Returns the probability of each room at each epoch, by the sum over all paths of signatures.
private func allPaths(_ model: RoomModel, _ epochs: [RoomEpoch]) -> [[Double]] {
  let count = model.signatures.count
  func neighbours(_ room: Int) -> [Int] {
    let own = model.rooms[room].neighbours
    return own.isEmpty ? model.rooms.indices.filter { $0 != room } : own
  }
  func transition(_ from: Int, _ to: Int, _ seconds: Double) -> Double {
    let (here, there) = (model.signatures[from], model.signatures[to])
    let stay = Double.exp(-seconds / model.rooms[here.room].dwell)
    let rest = Double.exp(-seconds / model.placeTime)
    if here.room == there.room {
      return stay * ((from == to ? rest : 0) + (1 - rest) * there.share)
    }
    let exits = neighbours(here.room)
    return exits.contains(there.room) ? (1 - stay) / Double(exits.count) * there.share : 0
  }
  func density(_ epoch: RoomEpoch, _ signature: RoomModel.Signature, _ seconds: Double) -> Double {
    var product = 1.0
    for anchor in model.anchors.indices {
      let silent = min(0.98, max(0.02, 1 - signature.heard[anchor]))
      if let level = epoch.levels.first(where: { $0.anchor == anchor }) {
        let score = (level.rssi - signature.levels[anchor]) / signature.deviations[anchor]
        product *=
          (1 - silent) / signature.deviations[anchor] * Double.pow(1 + score * score / 5, -3)
      } else {
        product *= silent
      }
    }
    return Double.pow(product, 1 - Double.exp(-seconds / model.correlationTime))
  }
  var sums = epochs.map { _ in [Double](repeating: 0, count: model.rooms.count) }
  var path = [Int](repeating: 0, count: epochs.count)
  func visit(_ number: Int, _ weight: Double) {
    guard number < epochs.count else {
      for (epoch, signature) in path.enumerated() {
        sums[epoch][model.signatures[signature].room] += weight
      }
      return
    }
    for signature in 0..<count {
      path[number] = signature
      let own = model.signatures[signature]
      if number == 0 {
        visit(1, own.share / Double(model.rooms.count) * density(epochs[0], own, 1))
      } else {
        let seconds = Double(epochs[number].time - epochs[number - 1].time) / 1e9
        visit(
          number + 1,
          weight * transition(path[number - 1], signature, seconds)
            * density(epochs[number], own, seconds))
      }
    }
  }
  visit(0, 1)
  return sums.map { row in row.map { $0 / row.reduce(0, +) } }
}

@Suite("Announced rooms")
struct RoomAnnouncementTests {
  @Test("a room is kept until another is probable enough")
  func hysteresis() {
    var announcement = RoomAnnouncement(threshold: 0.8)
    let answers: [([Double], Int?)] = [
      ([0.7, 0.3], nil), ([0.85, 0.15], 0), ([0.4, 0.6], 0), ([0.21, 0.79], 0), ([0.2, 0.8], 1),
      ([0.5, 0.5], 1),
    ]
    for (probabilities, room) in answers {
      announcement.update(probabilities)
      #expect(announcement.room == room)
    }
  }

  @Test("the interval of a change holds its time in 95 % of simulated tracks")
  func intervals() {
    var random = SplitMix64(seed: 7)
    func uniform() -> Double { (Double(random.next() >> 11) + 0.5) / Double(1 << 53) }
    func normal() -> Double {
      (-2 * Double.log(uniform())).squareRoot() * Double.cos(2 * .pi * uniform())
    }
    // Student's t with five degrees of freedom, as the model has it.
    func student() -> Double {
      normal() / ((0..<5).reduce(0) { sum, _ in sum + Double.pow(normal(), 2) } / 5).squareRoot()
    }
    let model = pair()
    var tracker = RoomTracker(model, threshold: 0.8)
    var (room, entered, held, changes) = (0, 0, 0, 0)
    for second in 1...60_000 {
      if uniform() < 1 - Double.exp(-1 / 60.0) { (room, entered) = (1 - room, second) }
      let own = model.signatures[room]
      let levels: [(Int, Double)] = (0..<2).compactMap { anchor in
        uniform() < own.heard[anchor]
          ? (anchor, own.levels[anchor] + own.deviations[anchor] * student()) : nil
      }
      for answer in tracker.update(epoch(Double(second), levels)) {
        guard answer.room == room, let between = answer.change?.between else { continue }
        changes += 1
        // The node was there at the end of its first second in the room.
        let time = Double(entered) - 0.5
        held +=
          Double(between.lowerBound) < time * 1e9 && time * 1e9 < Double(between.upperBound) ? 1 : 0
        #expect(between.upperBound <= answer.time)
      }
    }
    #expect(changes > 700)
    let share = Double(held) / Double(changes)
    #expect((0.92...0.99).contains(share), "\(held) of \(changes)")
  }
}
