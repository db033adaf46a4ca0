package import Geometry
import Positioning

/// An instant at which a position is asked, the sightings that may answer, and the right answer.
package struct Epoch: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  package var instant: Int64
  /// The window's start, not included.
  package var start: Int64
  /// The window's end, included.
  package var end: Int64
  /// The time of the true position that the answer is measured against, not later than the end.
  package var asked: Int64
  /// The position that the answer is measured against.
  package var truth: Point

  package init(instant: Int64, start: Int64, end: Int64, asked: Int64? = nil, truth: Point) {
    self.asked = asked ?? instant
    self.instant = instant
    self.start = start
    self.end = end
    self.truth = truth
  }
}

/// The time of the true position that an epoch's answer is measured against.
package enum TruthInstant: Equatable, Sendable {
  /// The epoch's own instant, the window's end: what a user who asks "where am I now" gets.
  case epoch
  /// The middle of the window: takes the delay of averaging out of the error.
  case windowMiddle
}

extension TruthPath {
  /// An epoch every `step` from the first mark on, up to the last; the first is one step after the
  /// mark.
  ///
  /// Windows reach back by `window`, but never before the first mark: what was heard there has no
  /// truth. A window longer than the step overlaps the one before, a shorter one leaves sightings
  /// out.
  ///
  /// - Parameters:
  ///   - step: nanoseconds between epochs, positive.
  ///   - window: nanoseconds of the window, positive; the step unless given.
  ///   - truth: the time of the truth that counts.
  package func epochs(
    every step: Int64, window: Int64? = nil, truth: TruthInstant = .epoch
  ) -> [Epoch] {
    precondition(step > 0 && window ?? 1 > 0, "an epoch's step and window are positive")
    guard let span, span.upperBound - span.lowerBound >= step else { return [] }
    let length = window ?? step
    return stride(from: span.lowerBound + step, through: span.upperBound, by: Int(step)).map {
      (instant: Int64) -> Epoch in
      let elapsed = instant - span.lowerBound
      // A window that the first mark cuts short includes the mark's own time.
      let start = length <= elapsed ? instant - length : span.lowerBound - 1
      let reference = truth == .epoch ? instant : instant - min(length, elapsed) / 2
      // Inside the span by construction.
      return Epoch(
        instant: instant, start: start, end: instant, asked: reference,
        truth: position(at: reference)!)
    }
  }

  /// One epoch for each stay: all that was heard during it, both ends included.
  package var stayEpochs: [Epoch] {
    stays.map { Epoch(instant: $0.end, start: $0.start - 1, end: $0.end, truth: $0.position) }
  }
}
