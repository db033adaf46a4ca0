import Filtering
import TestSupport

/// Levels at times as receivers have them: several at once, in bursts, after long gaps, and exactly
/// one window apart.
struct IrregularLevels {
  /// Nanoseconds, never back, small enough to be exact as `Double`.
  var times: [Int64] = []
  var levels: [Double] = []
  var channels: [UInt8] = []

  /// - Parameters:
  ///   - window: nanoseconds.
  ///   - whole: whether the levels are in steps of 1 dB.
  init(_ count: Int, window: Int64, seed: UInt64, whole: Bool = true) {
    var generator = SeededGenerator(seed: seed)
    var time: Int64 = 0
    for _ in 0..<count {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0, 1: break
      case 2: time += window
      case 3: time += window * Int64.random(in: 1...20, using: &generator)
      case 4...7: time += Int64.random(in: 0...(window / 20 + 1), using: &generator)
      default: time += Int64.random(in: 0...(window / 4 + 1), using: &generator)
      }
      times.append(time)
      let level = -70 + 8 * generator.gaussian()
      levels.append(whole ? level.rounded() : level)
      channels.append([37, 38, 39, 255].randomElement(using: &generator)!)
    }
  }

  var rows: [[Double]] { [times.map(Double.init), levels, channels.map(Double.init)] }

  /// What a filter says at each sighting.
  func said(by filter: some LevelFilter) -> [FilteredLevel] {
    var filter = filter
    return times.indices.map {
      filter.update(time: times[$0], rssi: levels[$0], channel: channels[$0])
    }
  }

  /// Where what a filter says differs from a Python script's answers, a level or a level and a
  /// variance each. The script finds the levels of each window with `windows(ns)`.
  func differences(
    from script: String, _ filter: some LevelFilter, tolerance: Double = 1e-11
  ) throws -> [Int] {
    let prelude = """
      times, z, channels = rows
      def windows(length):
          for k, t in enumerate(times):
              inside = times[:k + 1] > t - length
              yield times[:k + 1][inside], z[:k + 1][inside], channels[:k + 1][inside]

      """
    let expected = try reference(prelude + script, rows)
    let said = said(by: filter)
    guard expected.count == said.count else { return Array(said.indices) }
    func agrees(_ a: Double, _ b: Double) -> Bool {
      a.isNaN && b.isNaN || isClose(a, b, absolute: tolerance, relative: tolerance)
    }
    return said.indices.filter { k in
      let variance = expected[k].count > 1 ? expected[k][1] : .nan
      return !agrees(said[k].rssi, expected[k][0]) || !agrees(said[k].variance, variance)
    }
  }
}
