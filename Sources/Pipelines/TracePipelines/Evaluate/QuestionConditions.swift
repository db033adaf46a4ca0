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
  /// The survey from which the answers are learned.
  private let survey: [SurveyPoint]

  private static let recent = 10 * Timestamp.second

  init(_ target: AskedTarget, survey: [SurveyPoint]) {
    self.survey = survey
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
    for point in survey where point.floor == question.truthFloor {
      question.surveyDistance = min(
        question.surveyDistance ?? .infinity, point.place.distance(to: question.truth))
    }
  }
}
