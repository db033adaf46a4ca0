import Evaluation
import Geometry
import Positioning
import Sightings
import Support

/// The conditions under which questions about one target in a building are answered.
struct QuestionConditions {
  /// The number of raw levels in the last 10 s before each epoch's instant; empty at stops, whose
  /// levels have no times.
  private let recentLevels: [Int]
  /// The surveyed places.
  private let places: [(floor: Int, place: Point)]

  private static let recent = 10 * Timestamp.second

  /// - Parameter survey: the survey from which the answers are learned.
  init(_ target: AskedTarget, survey: [SurveyPoint]) {
    places = survey.map { ($0.floor, $0.place) }
    guard target.isSilent || target.epochs.contains(where: { !$0.heard.readings.isEmpty }) else {
      recentLevels = []
      return
    }
    let readings = target.epochs.flatMap(\.heard.readings)
    var (start, end, levels) = (0, 0, 0)
    recentLevels = target.epochs.map { epoch in
      while end < readings.count, readings[end].time <= epoch.heard.instant {
        levels += readings[end].packets
        end += 1
      }
      while start < end, readings[start].time <= epoch.heard.instant - Self.recent {
        levels -= readings[start].packets
        start += 1
      }
      return levels
    }
  }

  /// Completes the question at an epoch of the target.
  func complete(_ question: inout Question, epoch: Int) {
    question.recentLevels = recentLevels.isEmpty ? nil : recentLevels[epoch]
    for (floor, place) in places where floor == question.truthFloor {
      question.surveyDistance = min(
        question.surveyDistance ?? .infinity, place.distance(to: question.truth))
    }
  }
}
