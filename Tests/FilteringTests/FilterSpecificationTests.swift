import Filtering
import Testing

struct FilterSpecificationTests {
  @Test(
    "reads every form",
    arguments: [
      ("kalman", FilterSpecification.kalman(q: nil, r: nil)),
      ("kalman:q=0.5,r=9", .kalman(q: 0.5, r: 9)),
      ("kalman:r=9,q=0", .kalman(q: 0, r: 9)),
      ("kalman:q=1e-3,r=1.2e1", .kalman(q: 0.001, r: 12)),
      ("median", .median(window: 2_000_000_000)),
      ("median:window=500ms", .median(window: 500_000_000)),
      ("median:window=2", .median(window: 2_000_000_000)),
    ])
  func reads(text: String, expected: FilterSpecification) throws {
    let specification = try FilterSpecification(text)
    #expect(specification == expected)
    #expect(text.hasPrefix(specification.name))
  }

  @Test(
    "says in a sentence what is wrong",
    arguments: [
      (
        "mean", "there is no filter \"mean\": use kalman or median, as in kalman:q=0.5,r=9 or median:window=2s"
      ),
      ("", "there is no filter \"\": use kalman or median, as in kalman:q=0.5,r=9 or median:window=2s"),
      ("kalman:", "\"\" in \"kalman:\": write parameters once each, as name=value"),
      ("kalman:q", "\"q\" in \"kalman:q\": write parameters once each, as name=value"),
      (
        "kalman:q=1,q=2,r=3", "\"q=2\" in \"kalman:q=1,q=2,r=3\": write parameters once each, as name=value"
      ),
      ("kalman:q=1,r=0", "r=0 in \"kalman:q=1,r=0\" is not a variance"),
      ("kalman:q=-1,r=3", "q=-1 in \"kalman:q=-1,r=3\" is not a variance"),
      ("kalman:q=nan,r=3", "q=nan in \"kalman:q=nan,r=3\" is not a variance"),
      ("kalman:q=1,r=inf", "r=inf in \"kalman:q=1,r=inf\" is not a variance"),
      ("kalman:q=,r=1", "q= in \"kalman:q=,r=1\" is not a variance"),
      (
        "kalman:q=1", "\"kalman:q=1\": give both q (dB²/s) and r (dB²), or neither to have them estimated"
      ),
      (
        "kalman:r=1", "\"kalman:r=1\": give both q (dB²/s) and r (dB²), or neither to have them estimated"
      ),
      ("kalman:q=1,r=2,p=3", "\"kalman:q=1,r=2,p=3\": kalman has no parameter \"p\""),
      ("median:w=2s", "\"median:w=2s\": median has no parameter \"w\""),
      ("median:window=0", "window=0 in \"median:window=0\": write a time such as 2s, 500ms or 1m"),
      ("median:window=-2s", "window=-2s in \"median:window=-2s\": write a time such as 2s, 500ms or 1m"),
      ("median:window=2 s", "window=2 s in \"median:window=2 s\": write a time such as 2s, 500ms or 1m"),
      ("median:window=1=2", "window=1=2 in \"median:window=1=2\": write a time such as 2s, 500ms or 1m"),
    ])
  func refuses(text: String, sentence: String) {
    let error = #expect(throws: FilterSpecification.Malformed.self) { try FilterSpecification(text) }
    #expect(error?.description == sentence)
  }

  @Test(
    "reads durations",
    arguments: [
      ("500ms", 500_000_000), ("2s", 2_000_000_000), ("1.5m", 90_000_000_000),
      ("1h", 3_600_000_000_000), ("2d", 172_800_000_000_000), ("0.25", 250_000_000),
      ("-1s", -1_000_000_000), ("0", 0),
      ("1e3ms", 1_000_000_000),
    ])
  func durations(text: String, nanoseconds: Int64) {
    #expect(duration(text) == nanoseconds)
  }

  @Test(
    "refuses what is no duration",
    arguments: ["", "s", "ms", "2 s", "2w", "two", "nan", "infs", "1e300", "9e9h", "2s2"])
  func noDuration(text: String) {
    #expect(duration(text) == nil)
  }
}
