import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

struct RadioMapTests {
  /// Anchors with the same curve, -59 dBm and exponent 2, so that a level 0 dB off it is easily
  /// computed.
  static let anchors = [Point(x: 0, y: 0), Point(x: 9, y: 1), Point(x: 4, y: 8)].map {
    Anchor(place: $0, measuredPower: -59, exponent: 2, sigma: 5)
  }

  static let variation = LevelVariation(
    spread: 4, length: 2.5, anchorOffset: 1.5, recordingOffset: 1, placeNoise: 1.2, packetNoise: 3)

  /// A survey of random places in 3 recordings, drawn from the model: its levels are 6 sines' sum
  /// off the curves.
  static func survey(_ count: Int, seed: UInt64, side: Double = 10) -> [SurveyPoint] {
    var generator = SeededGenerator(seed: seed)
    let waves = (0..<18).map { _ in
      (
        Double.random(in: -1...1, using: &generator), Double.random(in: -1...1, using: &generator),
        Double.random(in: 0...6, using: &generator)
      )
    }
    return (0..<count).map { index in
      let place = Point(
        x: Double.random(in: 0...side, using: &generator),
        y: Double.random(in: 0...side, using: &generator))
      let levels = anchors.indices.map { anchor in
        let field = waves[(6 * anchor)..<(6 * anchor + 6)].reduce(0.0) {
          $0 + 2 * sin($1.0 * place.x + $1.1 * place.y + $1.2)
        }
        let packets = Int.random(in: 1...20, using: &generator)
        let noise = generator.gaussian() * (1 + 9 / Double(packets)).squareRoot()
        return Reading(
          time: 0, anchor: anchor, rssi: anchors[anchor].expectedLevel(at: place) + field + noise,
          packets: packets)
      }
      return SurveyPoint(place: place, levels: levels, trace: index % 3)
    }
  }

  @Test func `agrees with scikit-learn's Gaussian process of the same covariance`() throws {
    let survey = Self.survey(40, seed: 1)
    let map = try #require(
      RadioMap(survey: survey, anchors: Self.anchors, variation: Self.variation))
    let targets = Self.survey(20, seed: 2, side: 14).map(\.place)
    for (anchor, station) in Self.anchors.enumerated() {
      let rows = survey.map { point in
        let level = point.levels[anchor]
        return [
          point.place.x, point.place.y, Double(point.trace), Double(level.packets),
          level.rssi - station.expectedLevel(at: point.place),
        ]
      }
      // One recording's levels share a constant: a covariance that falls to 0 between recordings.
      let script = """
        from sklearn.gaussian_process import GaussianProcessRegressor
        from sklearn.gaussian_process.kernels import Matern, RBF, ConstantKernel
        surveyed = np.array([r for r in rows if len(r) == 5])
        asked = np.array([[r[0], r[1], 99] for r in rows if len(r) == 2])
        kernel = (ConstantKernel(16) * Matern([2.5, 2.5, 1e12], nu=1.5) + ConstantKernel(1.5**2)
                  + ConstantKernel(1) * RBF([1e12, 1e12, 1e-3]))
        process = GaussianProcessRegressor(kernel, alpha=1.2**2 + 9 / surveyed[:, 3], optimizer=None)
        process.fit(surveyed[:, :3], surveyed[:, 4])
        mean, deviation = process.predict(asked, return_std=True)
        answer(process.log_marginal_likelihood_value_)
        for m, d in zip(mean, deviation): answer(m, d)
        """
      let answers = try reference(script, rows + targets.map { [$0.x, $0.y] })
      let levels = rows.map {
        SurveyedLevel(
          stretch: Stretch(centre: Point(x: $0[0], y: $0[1])), residual: $0[4], packets: $0[3],
          recording: Int($0[2]))
      }
      let evidence = try #require(VariationEvidence(levels: [levels]).value(Self.variation))
      #expect(isClose(evidence.value, answers[0][0], absolute: 1e-6))
      for (target, theirs) in zip(targets, answers.dropFirst()) {
        let mine = map.shadowing(anchor: anchor, at: target)
        #expect(isClose(mine.offset, theirs[0], absolute: 1e-6))
        // Theirs has the new recording's own offset in it, ours that and what is below the cells.
        let deviation = (mine.variance - 1.2 * 1.2).squareRoot()
        #expect(isClose(deviation, theirs[1], absolute: 1e-6))
        let packet = 9 / map.packets
        let sigma = map.correction(anchor: anchor, at: target).sigma
        #expect(isClose(sigma, (mine.variance + packet).squareRoot()))
      }
    }
  }

  @Test(arguments: LevelVariation.Kernel.allCases)
  func `the evidence's derivatives are those of differences`(_ kernel: LevelVariation.Kernel) throws
  {
    let levels = Self.survey(30, seed: 5).flatMap { point in
      point.levels.map { level in
        (
          level.anchor,
          SurveyedLevel(
            // Every second level is a mean over 2 m.
            stretch: Stretch(
              centre: point.place,
              reach: Point(x: 0.6 * Double(level.packets % 2), y: 0.8 * Double(level.packets % 2))),
            residual: level.rssi - Self.anchors[level.anchor].expectedLevel(at: point.place),
            packets: Double(level.packets), recording: point.trace)
        )
      }
    }
    var lists = (0..<3).map { anchor in levels.filter { $0.0 == anchor }.map(\.1) }
    lists[2][4].recording = nil
    lists[2][4].recordings = 3
    let evidence = VariationEvidence(levels: lists)
    let here = Self.variation.logarithms
    let slopes = try #require(evidence.value(LevelVariation(kernel, logarithms: here))).gradient
    for index in here.indices {
      let sides = try [1e-5, -1e-5].map { step in
        var there = here
        there[index] += step
        return try #require(evidence.value(LevelVariation(kernel, logarithms: there))).value
      }
      #expect(isClose(slopes[index], (sides[0] - sides[1]) / 2e-5, absolute: 1e-5, relative: 1e-5))
    }
  }

  @Test func `learns a spread and length as likely as scikit-learn's`() throws {
    let survey = Self.survey(60, seed: 8)
    let levels = Self.anchors.indices.map { anchor in
      survey.map { point in
        SurveyedLevel(
          stretch: Stretch(centre: point.place),
          residual: point.levels[anchor].rssi - Self.anchors[anchor].expectedLevel(at: point.place),
          packets: 1, recording: nil)
      }
    }
    let mine = VariationEvidence(levels: [levels[0]]).mostLikely(.matern).variation
    let noise = mine.noise(packets: 1) + mine.recordingOffset * mine.recordingOffset
    let script = """
      from sklearn.gaussian_process import GaussianProcessRegressor
      from sklearn.gaussian_process.kernels import Matern, ConstantKernel, WhiteKernel
      surveyed = np.array([r for r in rows if len(r) == 3])
      spread, length, offset, noise = [r for r in rows if len(r) == 4][0]
      kernel = (ConstantKernel(spread**2) * Matern(length, nu=1.5) + ConstantKernel(offset**2)
                + WhiteKernel(noise))
      process = GaussianProcessRegressor(kernel, alpha=0, n_restarts_optimizer=4, random_state=1)
      process.fit(surveyed[:, :2], surveyed[:, 2])
      answer(process.log_marginal_likelihood_value_,
             process.log_marginal_likelihood(np.log([spread**2, length, offset**2, noise])))
      """
    let rows = levels[0].map { [$0.place.x, $0.place.y, $0.residual] }
    let answers = try reference(
      script, rows + [[mine.spread, mine.length, mine.anchorOffset, noise]])
    // The belief pulls by less than a significant likelihood ratio.
    #expect(answers[0][0] - answers[0][1] < 1.5, "\(answers[0]) at \(mine)")
  }

  @Test(arguments: LevelVariation.Kernel.allCases)
  func `finds again the variation that levels were drawn with`(_ kernel: LevelVariation.Kernel)
    throws
  {
    let truth = LevelVariation(
      kernel: kernel, spread: 5, length: 3, anchorOffset: 2, recordingOffset: 2, placeNoise: 1,
      packetNoise: 3)
    let script = """
      rng = np.random.default_rng(4)
      for anchor in range(12):
          place = rng.uniform(0, 15, (70, 2)); trace = np.arange(70) % 7
          packets = rng.integers(1, 30, 70)
          d = np.linalg.norm(place[:, None] - place[None], axis=2) / 3
          f = np.exp(-d) if rows[0][0] else (1 + np.sqrt(3) * d) * np.exp(-np.sqrt(3) * d)
          k = 25 * f + 4 + 4 * (trace[:, None] == trace[None])
          k += np.diag(1 + 9 / packets)
          for row in zip(place, trace, packets, np.linalg.cholesky(k) @ rng.normal(size=70)):
              answer(anchor, *row[0], *row[1:])
      """
    let rows = try reference(script, [[kernel == .exponential ? 1 : 0]])
    let levels = (0..<12).map { anchor in
      rows.filter { $0[0] == Double(anchor) }.map {
        SurveyedLevel(
          stretch: Stretch(centre: Point(x: $0[1], y: $0[2])), residual: $0[5], packets: $0[4],
          recording: Int($0[3]))
      }
    }
    let evidence = VariationEvidence(levels: levels)
    let learned = evidence.mostLikely()
    #expect(learned.kernel == kernel)
    for (mine, right) in zip(learned.logarithms, truth.logarithms) {
      #expect(abs(mine - right) < log(2), "\(learned)")
    }
    // The truth lies in the region of 99 % (chi-squared of six degrees of freedom).
    let (best, there) = try (
      #require(evidence.value(learned)).value, #require(evidence.value(truth)).value
    )
    #expect(2 * (best - there) < 16.8, "\(learned)")
  }

  /// Levels that were averaged over 3 m of a walk, against a process of 301 places along each stretch.
  @Test(arguments: LevelVariation.Kernel.allCases)
  func `means over a stretch agree with the integral of the process`(
    _ kernel: LevelVariation.Kernel
  ) throws {
    var variation = Self.variation
    variation.kernel = kernel
    var survey = Self.survey(25, seed: 9)
    for index in survey.indices {
      let angle = Double(index)
      survey[index].trace = 0
      survey[index].stretch = Stretch(
        centre: survey[index].place, reach: Point(x: 1.5 * cos(angle), y: 1.5 * sin(angle)))
    }
    let map = try #require(RadioMap(survey: survey, anchors: Self.anchors, variation: variation))
    let targets = Self.survey(20, seed: 2).map(\.place)
    let script = """
      surveyed = np.array([r for r in rows if len(r) == 6])
      asked = np.array([r for r in rows if len(r) == 2])
      t = np.linspace(-1, 1, 301)
      nodes = surveyed[:, None, :2] + t[:, None] * surveyed[:, None, 2:4]
      def f(a, b):
          d = np.linalg.norm(a - b, axis=-1) / 2.5
          return 16 * (np.exp(-d) if \(kernel == .exponential ? 1 : 0) else
                       (1 + np.sqrt(3) * d) * np.exp(-np.sqrt(3) * d))
      curve = lambda p: -59 - 20 * np.log10(np.maximum(np.linalg.norm(p, axis=-1), 0.01))
      y = surveyed[:, 5] - curve(nodes).mean(1)
      n = len(y)
      k = np.array([[f(nodes[i][:, None], nodes[j][None]).mean() for j in range(n)] for i in range(n)])
      k += 1.5**2 + 1 + np.diag(1.2**2 + 9 / surveyed[:, 4])
      near = 1.5**2 + np.array([[f(p, nodes[j]).mean() for j in range(n)] for p in asked])
      s = np.linalg.solve(k, near.T)
      for m, v in zip(s.T @ y, 1.5**2 + 16 - (near * s.T).sum(1)): answer(m, np.sqrt(v + 1 + 1.2**2))
      """
    let rows = survey.map { point in
      [
        point.place.x, point.place.y, point.stretch?.reach.x ?? 0, point.stretch?.reach.y ?? 0,
        Double(point.levels[0].packets), point.levels[0].rssi,
      ]
    }
    let answers = try reference(script, rows + targets.map { [$0.x, $0.y] })
    for (target, theirs) in zip(targets, answers) {
      let mine = map.shadowing(anchor: 0, at: target)
      #expect(abs(mine.offset - theirs[0]) < 0.25, "\(mine) \(theirs)")
      #expect(abs(mine.variance.squareRoot() - theirs[1]) < 0.08, "\(mine) \(theirs)")
    }
  }

  @Test func `far from the survey it is the path-loss curve and the anchor's offset`() throws {
    let map = try #require(
      RadioMap(survey: Self.survey(40, seed: 3), anchors: Self.anchors, variation: Self.variation))
    let far = map.shadowing(anchor: 0, at: Point(x: 500, y: -500))
    let farther = map.shadowing(anchor: 0, at: Point(x: -900, y: 100))
    #expect(isClose(far.offset, farther.offset, absolute: 1e-9) && abs(far.offset) < 3)
    // 4² of the field, 1² of a new recording, 1.2² of the place; of the offset a part is known.
    #expect(far.variance > 16 + 1 + 1.44 && far.variance < 16 + 1 + 1.44 + 2.25)
    let near = map.shadowing(anchor: 0, at: Self.survey(40, seed: 3)[0].place)
    #expect(near.variance < 0.5 * far.variance)
  }

  @Test func `a map is the same to the last bit for any numbering of anchors`() throws {
    let survey = Self.survey(30, seed: 5)
    let map = try #require(RadioMap(survey: survey, anchors: Self.anchors))
    // Two anchors that the survey did not hear are in between.
    let numbers = [4, 0, 2]
    var anchors = [Anchor](repeating: Self.anchors[0], count: 5)
    for (old, new) in numbers.enumerated() { anchors[new] = Self.anchors[old] }
    let renumbered = survey.map { point in
      var point = point
      for index in point.levels.indices {
        point.levels[index].anchor = numbers[point.levels[index].anchor]
      }
      return point
    }
    let other = try #require(RadioMap(survey: renumbered, anchors: anchors))
    #expect(other.variation == map.variation && other.commonVariance == map.commonVariance)
    #expect(other.dispersion == map.dispersion)
    let given = try #require(
      RadioMap(survey: renumbered, anchors: anchors, variation: map.variation))
    for place in [Point(x: 1, y: 2), Point(x: 20, y: -3)] {
      for (old, new) in numbers.enumerated() {
        #expect(other.shadowing(anchor: new, at: place) == map.shadowing(anchor: old, at: place))
        #expect(given.shadowing(anchor: new, at: place) == map.shadowing(anchor: old, at: place))
      }
    }
  }

  @Test func `a survey without numbers of anchors or levels is counted`() throws {
    var survey = Self.survey(10, seed: 4)
    survey[0].levels[0].rssi = .nan
    survey[1].levels[1].anchor = 3
    survey[2].levels[0].anchor = -1
    survey[3].place.x = .infinity
    survey[4].levels[2].packets = 0
    let map = try #require(RadioMap(survey: survey, anchors: Self.anchors))
    #expect(map.ignored == 7)
    #expect(map.correction(anchor: 2, at: Point(x: 5, y: 5)).sigma.isFinite)
    #expect(RadioMap(survey: [], anchors: Self.anchors) == nil)
    let two = SurveyPoint(place: Point(x: 1, y: 1), levels: Array(survey[5].levels.prefix(2)))
    #expect(RadioMap(survey: [two], anchors: Self.anchors) == nil)
  }

  @Test func `thousands of places are thinned to what is worth its time, without losing levels`() {
    var generator = SeededGenerator(seed: 6)
    let levels = (0..<5000).map { index in
      SurveyedLevel(
        stretch: Stretch(
          centre: Point(
            x: Double.random(in: -30...30, using: &generator),
            y: Double.random(in: -20...20, using: &generator))),
        residual: generator.gaussian(), packets: Double(1 + index % 5), recording: index % 40)
    }
    let thin = levels.thinned(to: 256)
    #expect(thin.count <= 256 && thin.count > 100)
    func total(_ levels: [SurveyedLevel]) -> (Double, Double) {
      levels.reduce((0, 0)) { ($0.0 + $1.packets, $0.1 + $1.packets * $1.residual) }
    }
    #expect(total(thin).0 == total(levels).0)
    #expect(isClose(total(thin).1, total(levels).1, absolute: 1e-8))
    #expect(Array(levels.prefix(100)).thinned(to: 256).count <= 100)
  }
}
