import Synchronization

/// The time that an algorithm took for its answers.
public struct AnswerTime: Sendable {
  /// The name of the algorithm.
  public var name: String
  /// The number of answers, refusals included.
  public var answers = 0
  /// The time of one thread in seconds, the start of a program included.
  public var seconds = 0.0
}

/// The times of the algorithms of an evaluation, added from all threads.
final class AnswerTimes: Sendable {
  private let times = Mutex<[String: AnswerTime]>([:])

  /// The times in the order of the names.
  var all: [AnswerTime] { times.withLock { $0.values.sorted { $0.name < $1.name } } }

  /// Adds the answers of one call.
  func add(_ answers: Int, of name: String, seconds: Double) {
    times.withLock { times in
      times[name, default: AnswerTime(name: name)].answers += answers
      times[name]?.seconds += seconds
    }
  }
}
