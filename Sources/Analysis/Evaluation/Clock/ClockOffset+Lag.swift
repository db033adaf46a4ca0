import Geometry
import Positioning

extension ClockOffset {
  /// How far answers are behind the truth at the times that were asked, as far as the truth's
  /// motion is known.
  init?(
    lagOf answered: [[AnsweredQuestion]], behind traces: [EvaluatedTrace], bootstrap: TraceBootstrap
  ) {
    let tracks = zip(answered, traces).map { answered, trace in
      EstimatedTrack(
        estimates: answered.filter { $0.question.velocity != nil }
          .map { .init(time: $0.question.asked, position: $0.estimate.position) },
        truth: TruthPath(
          trace.questions.filter { $0.velocity != nil }.map {
            .init(time: $0.asked, position: $0.truth)
          }))
    }
    self.init(tracks, bootstrap: bootstrap)
  }
}
