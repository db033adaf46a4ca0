import RealModule
import Support

/// The Bayes filter of a node's room: a hidden Markov model whose states are the signatures.
///
/// The errors of levels are correlated over some seconds, so an epoch counts as the share
/// 1 - exp(-Δt / T) of an independent one, for the correlation time T of the model. Without this, a
/// node at rest would soon be certain of a wrong room. As evidence counts for less, so must the
/// expectation that the node stays: stays are assumed to be shorter by the pace of the model, without
/// which the filter would hold on to a room that was left.
///
/// Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77 (1989), sections III.A and
/// III.B.
public struct RoomFilter: Sendable {
  /// The model that the filter follows.
  public let model: RoomModel
  /// The probability of each signature; those of one room sum to its own.
  private var state: [Double]
  private var time: Int64?
  /// The signatures of each room.
  private let numbers: [[Int]]
  /// The rooms to which the doors of each room lead.
  private let exits: [[Int]]

  /// Creates a filter of a node that may be anywhere.
  public init(_ model: RoomModel) {
    self.model = model
    numbers = model.rooms.indices.map { room in
      model.signatures.indices.filter { model.signatures[$0].room == room }
    }
    exits = model.rooms.enumerated().map { number, room in
      room.neighbours.isEmpty ? model.rooms.indices.filter { $0 != number } : room.neighbours
    }
    state = model.signatures.map { $0.share / Double(model.rooms.count) }
  }

  /// Returns the probability of each room after the next epoch; they sum to 1.
  ///
  /// - Parameter epoch: Not earlier than the one before.
  /// - Complexity: O(signatures × anchors + rooms²).
  public mutating func update(_ epoch: RoomEpoch) -> [Double] {
    update(epoch, model.logLikelihoods(of: epoch))
  }

  /// Returns the probability of each room after the next epoch, whose log likelihoods are known.
  mutating func update(_ epoch: RoomEpoch, _ logs: [Double]) -> [Double] {
    doubted(rooms(of: step(epoch, logs).state))
  }

  /// An epoch of a track with all that later ones need to look back at it.
  struct Step {
    /// The end of the epoch, in nanoseconds since the Unix epoch.
    var time: Int64
    /// The probability of each signature after the epoch.
    var state: [Double]
    /// The time since the epoch before in seconds, 0 for the first.
    var elapsed: Double
    /// The likelihood of each signature, up to a factor.
    var evidence: [Double]
  }

  /// Moves to the next epoch.
  mutating func step(_ epoch: RoomEpoch) -> Step { step(epoch, model.logLikelihoods(of: epoch)) }

  private mutating func step(_ epoch: RoomEpoch, _ logs: [Double]) -> Step {
    let elapsed = time.map { max(0, Double(epoch.time - $0) / 1e9) }
    if let elapsed { state = moved(state, by: elapsed) }
    time = epoch.time
    let evidence = evidence(logs, after: elapsed ?? Double(epoch.window) / 1e9)
    weigh(&state, by: evidence)
    return Step(time: epoch.time, state: state, elapsed: elapsed ?? 0, evidence: evidence)
  }

  /// Returns the probability of each room at each epoch from all epochs of a track.
  ///
  /// - Parameter lag: The number of later epochs that count; nil for all.
  /// - Complexity: O(epochs × signatures × anchors), times the lag if there is one.
  public func smoothed(_ epochs: [RoomEpoch], lag: Int? = nil) -> [[Double]] {
    smoothed(epochs, lags: [lag])[0]
  }

  /// Returns what ``smoothed(_:lag:)`` does, for each of some lags.
  package func smoothed(_ epochs: [RoomEpoch], lags: [Int?]) -> [[[Double]]] {
    var filter = self
    let steps = epochs.map { filter.step($0) }
    return lags.map { lag in
      guard let lag else {
        var (later, answers): ([Double], [[Double]]) = (certain, [])
        for step in steps.reversed() {
          answers.append(answer(of: step, later))
          later = backward(later, over: step)
        }
        return answers.reversed()
      }
      return steps.indices.map { number in
        lookingBack(steps[number..<min(steps.count, number + 1 + lag)])
      }
    }
  }

  /// Returns the probability of each room at the first of some successive steps.
  func lookingBack(_ steps: ArraySlice<Step>) -> [Double] {
    steps.first.map { answer(of: $0, likelihoods(of: steps.dropFirst())) } ?? []
  }

  /// Returns the likelihoods of some successive steps before the first of them.
  func likelihoods(of steps: ArraySlice<Step>) -> [Double] {
    steps.reversed().reduce(certain) { backward($0, over: $1) }
  }

  /// The likelihoods of no epoch.
  private var certain: [Double] { [Double](repeating: 1, count: state.count) }

  /// Returns the likelihoods of a step and all later ones before it, from those after it.
  func backward(_ later: [Double], over step: Step) -> [Double] {
    Self.scaled(movedBack(zip(later, step.evidence).map { $0 * $1 }, by: step.elapsed))
  }

  /// Returns the probability of each room at a step from the likelihoods of later ones.
  func rooms(of step: Step, _ later: [Double]) -> [Double] {
    var state = step.state
    weigh(&state, by: later)
    return rooms(of: state)
  }

  /// Returns what ``rooms(of:_:)`` does, with the doubt of the model.
  func answer(of step: Step, _ later: [Double]) -> [Double] { doubted(rooms(of: step, later)) }

  /// Returns the likelihoods of an epoch some seconds after the one before, up to a factor.
  private func evidence(_ logs: [Double], after seconds: Double) -> [Double] {
    let greatest = logs.max() ?? 0
    let share =
      model.correlationTime > 0 ? -Double.expMinusOne(-seconds / model.correlationTime) : 1
    return logs.map { .exp(share * ($0 - greatest)) }
  }

  /// Multiplies probabilities by likelihoods; those that exclude each other change nothing.
  private func weigh(_ state: inout [Double], by evidence: [Double]) {
    let product = zip(state, evidence).map { $0 * $1 }
    let sum = product.reduce(0, +)
    if sum > 0, sum.isFinite { state = product.map { $0 / sum } }
  }

  /// Returns the probabilities some seconds later, without new levels.
  private func moved(_ state: [Double], by seconds: Double) -> [Double] {
    let rooms = rooms(of: state)
    let stay = staying(for: seconds)
    let rest = Double.exp(-seconds / model.placeTime)
    var entered = [Double](repeating: 0, count: rooms.count)
    for room in rooms.indices {
      let share = rooms[room] * (1 - stay[room]) / Double(max(1, exits[room].count))
      for next in exits[room] { entered[next] += share }
    }
    return model.signatures.indices.map { number in
      let signature = model.signatures[number]
      let room = signature.room
      return stay[room] * (rest * state[number] + (1 - rest) * rooms[room] * signature.share)
        + entered[room] * signature.share
    }
  }

  /// Returns the likelihoods some seconds earlier: the transpose of ``moved(_:by:)``.
  private func movedBack(_ later: [Double], by seconds: Double) -> [Double] {
    let stay = staying(for: seconds)
    let rest = Double.exp(-seconds / model.placeTime)
    let means = numbers.map { of in
      of.reduce(0) { $0 + later[$1] * model.signatures[$1].share }
    }
    let leaving = exits.map { next in
      next.reduce(0) { $0 + means[$1] } / Double(max(1, next.count))
    }
    return model.signatures.indices.map { number in
      let room = model.signatures[number].room
      return stay[room] * (rest * later[number] + (1 - rest) * means[room])
        + (1 - stay[room]) * leaving[room]
    }
  }

  /// Returns the probability to stay in each room.
  private func staying(for seconds: Double) -> [Double] {
    model.rooms.indices.map { room in
      exits[room].isEmpty ? 1 : .exp(-seconds / (model.pace * model.rooms[room].dwell))
    }
  }

  private func rooms(of state: [Double]) -> [Double] {
    numbers.map { $0.reduce(0) { $0 + state[$1] } }
  }

  private func doubted(_ rooms: [Double]) -> [Double] {
    rooms.map { (1 - model.doubt) * $0 + model.doubt / Double(rooms.count) }
  }

  private static func scaled(_ values: [Double]) -> [Double] {
    let greatest = values.max() ?? 0
    return greatest > 0 ? values.map { $0 / greatest } : values
  }
}
