import Advertising
import Foundation
import Synchronization
import TestSupport

@testable import Capture

/// A second capture, on a thread of its own.
final class Worker: Sendable {
  private struct State {
    var levels: [Float] = []
    var isStopping = false
    var isFinished = false
  }
  private let state = Mutex(State())

  init(_ source: sending MQTTSource) {
    nonisolated(unsafe) var source = source
    Thread.detachNewThread {
      let deadline = ContinuousClock.now + patience
      var sink = RecordingSink { sink in
        self.state.withLock {
          $0.levels = sink.reports.map(\.report.rssi)
          return !$0.isStopping && ContinuousClock.now < deadline
        }
      }
      try? source.run(into: &sink)
      self.state.withLock { $0.isFinished = true }
    }
  }

  /// How many reports it has so far.
  var count: Int { state.withLock { $0.levels.count } }

  /// Ends it and returns the levels that it got.
  func finish() -> [Float] {
    state.withLock { $0.isStopping = true }
    _ = eventually { state.withLock { $0.isFinished } }
    return state.withLock { $0.levels }
  }
}
