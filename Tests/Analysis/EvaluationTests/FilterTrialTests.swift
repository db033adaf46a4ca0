import Evaluation
import Filtering
import Geometry
import TestSupport
import Testing

private let second: Int64 = 1_000_000_000

struct FilterTrialTests {
  private func candidate(_ text: String) throws -> FilterCandidate {
    let chain = text.isEmpty ? [] : [try FilterSpecification(text)]
    return FilterCandidate(name: text, chain: chain) { _ in chain.map { _ in .walking } }
  }

  /// A link at exactly 10 Hz.
  private func table(_ count: Int, _ level: (Int) -> Double) -> TrialLevels {
    var table = TrialLevels()
    let link = table.addLink(LinkPlace(trace: 0, receiver: 0))
    for k in 0..<count {
      table.append(link: link, time: Int64(k) * second / 10, rssi: level(k), channel: 37)
    }
    return table
  }

  @Test(arguments: [
    // A mean of ten: the mean age of its levels, and their number.
    ("mean:window=1s", 0.45, 10.0),
    // K² / (1 − K) = q h / r = 0.05 settles at K = 0.2: lag h (1 − K) / K, reduction (2 − K) / K.
    ("kalman:q=6,r=12", 0.4, 9.0),
    // A weight of 1 − exp(−h / τ) = 0.0952.
    ("ewma:tau=1s", 0.1 * 0.904837 / 0.095163, (2 - 0.095163) / 0.095163),
    ("", 0, 1),
  ])
  func `lag and noise reduction are those of theory`(filter: String, lag: Double, reduction: Double)
    throws
  {
    let trial = FilterTrial(
      table(20_000) { _ in -60 }, truth: Array(repeating: -60, count: 20_000), settling: 50)
    let score = trial.score(try candidate(filter))
    #expect(isClose(score.lag, lag, absolute: 1e-4))
    // Of 20,000 numbers, about a tenth of which are independent after the filter.
    #expect(isClose(score.noiseReduction, reduction, relative: 0.1))
    #expect(score.rootMeanSquare < 1e-9)
  }

  @Test func `errors are against the truth, after settling`() throws {
    var truth = Array(repeating: -60.0, count: 40)
    truth[20] = .nan
    let score = FilterTrial(
      table(40) { $0 < 5 ? -90 : $0 == 30 ? .nan : $0 % 2 == 0 ? -58 : -61 }, truth: truth,
      settling: 5
    ).score(try candidate(""))
    // From row 5: 17 even rows but two are 2 dB too strong, 18 odd ones 1 dB too weak.
    #expect(score.samples == 33)
    #expect(isClose(score.bias, (15 * 2.0 - 18) / 33, absolute: 1e-12))
    #expect(isClose(score.rootMeanSquare, ((15 * 4.0 + 18) / 33).squareRoot(), absolute: 1e-12))
    #expect(score.coverage.isNaN)
  }

  @Test func `sightings held back are not seen, and predicted from earlier ones`() throws {
    // Each level is its number: a filter that had seen a level would repeat it.
    let trial = FilterTrial(table(1000) { Double($0) * 0.05 - 100 }, truth: nil, settling: 10)
    let hidden = trial.table.rssi.count { $0.isNaN }
    #expect((60...140).contains(hidden))
    let raw = trial.score(try candidate(""))
    // The last level before is at least one step lower.
    #expect(raw.samples > 50 && raw.samples <= hidden)
    #expect(raw.bias <= -0.05)
    let smoothed = trial.score(try candidate("rts:q=1000,r=1e-6"))
    #expect(abs(smoothed.bias) < 0.01)
    #expect(smoothed.rootMeanSquare < 0.01)
  }

  @Test func `levels that come late are scored as if they had come in time`() throws {
    var ordered = TrialLevels()
    var reversed = TrialLevels()
    let count = 300
    for backwards in [false, true] {
      var table = TrialLevels()
      let link = table.addLink(LinkPlace(trace: 0, receiver: 0))
      for k in backwards ? Array((0..<count).reversed()) : Array(0..<count) {
        table.append(link: link, time: Int64(k) * second, rssi: Double(-60 - k % 13), channel: 37)
      }
      if backwards { reversed = table } else { ordered = table }
    }
    func score(_ table: TrialLevels) throws -> FilterScore {
      let candidate = FilterCandidate(
        name: "k", chain: [try FilterSpecification("kalman:q=1,r=9")], reorder: .seconds(1000)
      ) { _ in [.walking] }
      return FilterTrial(table, truth: Array(repeating: -66, count: count), settling: 10).score(
        candidate)
    }
    let there = try score(ordered)
    let back = try score(reversed)
    #expect(there.samples == back.samples)
    #expect(isClose(there.rootMeanSquare, back.rootMeanSquare, absolute: 1e-12))
    #expect(isClose(there.lag, back.lag, absolute: 1e-12))
  }

  @Test func `nothing to compare gives no figures, and no trap`() throws {
    for filter in ["", "kalman:q=1,r=9", "rts:q=1,r=9", "median"] {
      for count in [0, 1, 2] {
        for truth in [nil, Array(repeating: Double.nan, count: count)] {
          let score = FilterTrial(table(count) { _ in -60 }, truth: truth, settling: 10)
            .score(try candidate(filter))
          #expect(score.samples == 0)
          #expect(score.rootMeanSquare.isNaN)
        }
      }
    }
  }
}
