package import PathLoss
import Registries
package import TracePipelines

/// The person at a bench: sees what happens, and answers when a pose may begin.
package protocol BenchOperator {
  mutating func show(_ event: BenchEvent)

  /// Forgets answers that were given before a question.
  mutating func forgetAnswers()

  /// Waits at most a number of milliseconds for an answer.
  mutating func answer(within milliseconds: Int32) -> BenchAnswer
}

package enum BenchAnswer: Sendable {
  case none
  /// The pose may begin.
  case ready
  /// The bench ends with the poses that are complete.
  case quit
}

/// An event on a bench.
package enum BenchEvent {
  /// A pose is next.
  case asking(BenchPrompt)
  /// A pose begins in a number of nanoseconds.
  case countingDown(left: Int64)
  case listening(BenchProgress)
  /// A pose is complete.
  case completed([CompletedPose])
  /// All poses of the only beacon at 1 m so far.
  case summed(CalibratedBeacon)
  case note(String)
  /// Nothing more comes.
  case finished
}

/// The pose that is next.
package struct BenchPrompt: Equatable, Sendable {
  package var plan: BenchPlan
  /// Index of the pose.
  package var stop: Int
  /// From 1 on; later ones repeat a pose in which too little was received.
  package var attempt: Int

  package init(plan: BenchPlan, stop: Int, attempt: Int) {
    (self.plan, self.stop, self.attempt) = (plan, stop, attempt)
  }

  package var pose: BenchPlan.Stop { plan.stops[stop] }

  /// A Boolean value that is true if the pose is at another distance than the one before.
  package var isNewDistance: Bool {
    stop == 0 || plan.stops[stop - 1].distance != pose.distance
  }
}

/// The progress of a pose.
package struct BenchProgress {
  /// The levels of the beacon that was received most often; nil where none was.
  package var levels: PoseLevels?
  /// The number of beacons received, of those that are meant.
  package var beacons: Int
  /// Nanoseconds since the pose began.
  package var elapsed: Int64
  /// Nanoseconds that it lasts.
  package var duration: Int64

  package init(levels: PoseLevels?, beacons: Int, elapsed: Int64, duration: Int64) {
    (self.levels, self.beacons) = (levels, beacons)
    (self.elapsed, self.duration) = (elapsed, duration)
  }
}

/// The result of a complete pose for one beacon.
package struct CompletedPose {
  /// The beacon as people call it, for a sentence.
  package var label: String
  package var mean: PoseMean

  package init(label: String, mean: PoseMean) { (self.label, self.mean) = (label, mean) }
}
