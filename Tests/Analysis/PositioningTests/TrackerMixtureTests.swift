import Geometry
import Support
import TestSupport
import Testing

@testable import Positioning

struct TrackerMixtureTests {
  @Test func `has the mean and the covariance of numpy's mixture of its members`() throws {
    let covariances = [Covariance(xx: 4, xy: 1, yy: 2), Covariance(xx: 1, xy: -0.5, yy: 3)]
    let mixture = TrackerMixture(
      "mixture",
      [FixedAnswer("a", at: 1, 2, covariances[0]), FixedAnswer("b", at: 4, -2, covariances[1])])
    let estimate = try #require(mixture.answer().estimate)
    // E[x xᵀ] of the mixture, less the product of its mean.
    let script = """
      mean, square = np.zeros(2), np.zeros((2, 2))
      for x, y, xx, xy, yy in rows:
          mean += [x / 2, y / 2]
          square += (np.array([[xx, xy], [xy, yy]]) + np.outer([x, y], [x, y])) / 2
      c = square - np.outer(mean, mean)
      answer(*mean, c[0, 0], c[0, 1], c[1, 1])
      """
    let answer = try reference(script, [[1, 2, 4, 1, 2], [4, -2, 1, -0.5, 3]])[0]
    #expect(isClose(estimate.position, Point(x: answer[0], y: answer[1]), within: 1e-12))
    let covariance = try #require(estimate.uncertainty.covariance)
    #expect(
      isClose(
        covariance, Covariance(xx: answer[2], xy: answer[3], yy: answer[4]), relative: 1e-12))
    #expect(estimate.leftOut.isEmpty)
  }

  @Test func `leaves out members that refuse or claim nothing`() throws {
    let claim = Covariance(xx: 1, xy: 0, yy: 1)
    let mixture = TrackerMixture(
      "mixture",
      [
        FixedAnswer("a", at: 1, 2, claim), FixedAnswer("silent", .refused(.tooFewAnchors)),
        FixedAnswer("vague", at: 9, 9),
      ])
    let estimate = try #require(mixture.answer().estimate)
    #expect(estimate.position == Point(x: 1, y: 2))
    #expect(estimate.uncertainty == .covariance(claim))
    #expect(
      estimate.leftOut == [
        "silent": .refused(.tooFewAnchors), "vague": .withoutCovariance(.noErrorModel),
      ])
    let none = TrackerMixture("mixture", [FixedAnswer("a", .refused(.noSurvey))])
    #expect(none.answer().refusal == .noSurvey)
    let vague = TrackerMixture("mixture", [FixedAnswer("vague", at: 9, 9)])
    #expect(vague.answer().refusal == .noMemberAnswered)
  }

  @Test
  func `of filters is causal and live, of smoothers neither, and both need a survey for a map`()
    throws
  {
    let filter = try Algorithms.named("tracker-mixture")
    let smoother = try Algorithms.named("smoother-mixture")
    #expect(filter.isCausal && !smoother.isCausal)
    #expect(smoother.track(in: Surroundings()) == nil)
    for name in ["tracker-mixture", "smoother-mixture"] {
      #expect(try Algorithms.named(name + ":map=yes").answer().refusal == .noSurvey)
    }
  }
}
