import Geometry
import TestSupport
import Testing

@testable import Positioning

struct DelayedTrackTests {
  @Test(arguments: [
    "kalman:lag=3s", "particle-filter:particles=200,lag=3s", "grid-filter:lag=3s",
    "particle-filter:particles=200,lag=100ms", "grid-filter:lag=1m",
    "attract:to=spots,of=kalman:lag=3s", "kalman", "weighted-centroid",
  ])
  func `a lag gives the answers one at a time as to all scans at once, to the last bit`(
    name: String
  ) throws {
    let trace = try SimulatedTrace.walks(1, seed: 12)[0]
    var known = trace.surroundings
    known.spots = [Point(x: 4, y: 3)]
    var scans = trace.scans
    scans[5].readings = []
    scans[5].observations = []
    let algorithm = try Algorithms.named(name)
    let expected = algorithm.locate(scans, in: known)
    var live = try #require(DelayedTrack(algorithm, in: known))
    var answers: [DelayedTrack.Answer] = []
    for scan in scans {
      let new = live.locate(scan)
      // Known for certain only after the lag.
      if name.contains("lag=3s") {
        #expect(new.allSatisfy { scan.instant - $0.instant >= 3_000_000_000 })
      }
      answers += new
    }
    answers += live.finish()
    #expect(answers.map(\.instant) == scans.map(\.instant))
    #expect(answers.map(\.outcome) == expected)
  }

  @Test(arguments: ["kalman", "particle-filter:particles=500", "grid-filter"])
  func `an answer that waits is better, and a causal algorithm cannot give it`(name: String) throws
  {
    let traces = try SimulatedTrace.walks(6, seed: 13)
    let waiting = try Algorithms.named(name + (name.contains(":") ? "," : ":") + "lag=4s")
    #expect(!waiting.isCausal && waiting.track(in: traces[0].surroundings) == nil)
    let late = SimulatedTrace.judge(waiting, on: traces).errors
    let now = SimulatedTrace.judge(try Algorithms.named(name), on: traces).errors
    #expect(late.count == now.count && late.reduce(0, +) < now.reduce(0, +))
  }

  @Test func `questions go with the first scan after their lag`() {
    var delay = QuestionDelay(lag: .nanoseconds(25))
    let scans = [10, 20, 30, 60].map { (instant: Int64) in
      Scan(instant: instant, start: instant - 10, observations: [])
    }
    let steps = scans.flatMap { delay.take($0) } + delay.finish()
    #expect(steps.map(\.scan.instant) == [10, 20, 30, 60, 60, 60, 60])
    #expect(steps.map(\.scan.asked) == [10, 20, 30, 10, 20, 30, 60])
    #expect(steps.map(\.instant) == [nil, nil, nil, 10, 20, 30, 60])
    #expect(delay.finish().isEmpty)
  }

  @Test func `the smoother is the filter with ten seconds of lag`() throws {
    let trace = try SimulatedTrace.walks(1, seed: 14)[0]
    let smoother = try Algorithms.named("particle-smoother:particles=300")
    let filter = try Algorithms.named("particle-filter:particles=300,lag=10s")
    #expect(!smoother.isCausal)
    #expect(
      smoother.locate(trace.scans, in: trace.surroundings)
        == filter.locate(trace.scans, in: trace.surroundings))
  }
}
