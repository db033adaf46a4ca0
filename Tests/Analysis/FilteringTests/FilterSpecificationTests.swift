import Filtering
import Support
import Testing

struct FilterSpecificationTests {
  @Test(
    arguments: [
      ("kalman", nil, nil), ("kalman:q=0.5,r=9", 0.5, 9), ("kalman:r=9,q=0", 0, 9),
      ("kalman:q=1e-3,r=1.2e1", 0.001, 12),
    ] as [(String, Double?, Double?)])
  func `reads every form`(text: String, q: Double?, r: Double?) throws {
    let specification = try FilterSpecification(text)
    #expect(specification.name == "kalman")
    #expect(specification.text == text)
    #expect(specification.parameters.optional("q") == q)
    #expect(specification.parameters.optional("r") == r)
    #expect((specification.missingNoise == nil) == (q != nil))
  }

  @Test(
    arguments: [
      ("median", 2_000_000_000), ("median:window=500ms", 500_000_000),
      ("median:window=2", 2_000_000_000),
    ] as [(String, Int64)])
  func `reads times, and takes the default where there is none`(text: String, window: Int64) throws
  {
    let specification = try FilterSpecification(text)
    #expect(specification.parameters.duration("window") == .nanoseconds(window))
    #expect(specification.missingNoise == nil)
  }

  @Test func `an unknown filter is answered with the list of filters`() {
    for text in ["magic", "", "Kalman", "magic:q=1"] {
      let error = #expect(throws: RSSIError.self) {
        try FilterSpecification(text)
      }
      #expect(error?.description.contains("`rssi help filter` lists all") == true)
    }
  }

  @Test(arguments: [
    ("kalman:", "found \"\""), ("kalman:q", "found \"q\""),
    ("kalman:q=1,q=2,r=3", "found \"q=2\""),
    ("kalman:q=1,r=0", "from 1e-9 to 1e9 dB²"), ("kalman:q=-1,r=3", "from 0 to 1e9 dB²/s"),
    ("kalman:q=nan,r=3", "from 0 to 1e9 dB²/s"), ("kalman:q=1,r=inf", "from 1e-9 to 1e9 dB²"),
    ("kalman:q=,r=1", "q must be a number from 0 to 1e9"), ("kalman:q=1", "both q and r"),
    ("kalman:r=1", "both q and r"),
    ("kalman:q=1,r=2,p=3", "known parameters are q, r"), ("median:windwo=2s", "did you mean"),
    ("median:w=2s", "known parameters are window"), ("median:window=0", "a time above 0"),
    ("median:window=-2s", "a time above 0"), ("median:window=2 s", "a time above 0"),
    ("median:window=1=2", "found \"1=2\""),
  ])
  func `describes the problem in a sentence`(text: String, words: String) throws {
    let error = #expect(throws: RSSIError.self) { try FilterSpecification(text) }
    let sentence = try #require(error).description
    #expect(sentence.contains(words) && sentence.contains("\"\(text)\""), "\(sentence)")
  }

  @Test(arguments: [
    ("500ms", 500_000_000), ("2s", 2_000_000_000), ("1.5m", 90_000_000_000),
    ("1h", 3_600_000_000_000), ("2d", 172_800_000_000_000), ("0.25", 250_000_000),
    ("-1s", -1_000_000_000), ("0", 0),
    ("1e3ms", 1_000_000_000),
  ])
  func `reads durations`(text: String, nanoseconds: Int64) {
    #expect(duration(text) == nanoseconds)
  }

  @Test(arguments: ["", "s", "ms", "2 s", "2w", "two", "nan", "infs", "1e300", "9e9h", "2s2"])
  func `refuses anything but a duration`(text: String) {
    #expect(duration(text) == nil)
  }
}
