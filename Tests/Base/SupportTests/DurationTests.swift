import Support
import Testing

@Suite struct DurationTests {
  @Test(
    arguments: [
      (0, "0s"), (500_000_000, "500ms"), (2_000_000_000, "2s"), (1_500_000_000, "1.5s"),
      (-1_500_000_000, "-1.5s"), (90_000_000_000, "90s"), (7_200_000_000_000, "2h"),
      (172_800_000_000_000, "2d"), (1_000, "0.001ms"),
    ] as [(Int64, String)])
  func `a written duration reads back, in a unit that fits`(nanoseconds: Int64, text: String) {
    #expect(written(duration: nanoseconds) == text)
    #expect(duration(text) == nanoseconds)
  }

  @Test func `a range takes both ends, and its message names them`() throws {
    let range = DurationRange(.milliseconds(10)...Duration.day, such: "1s")
    #expect("\(range)" == "from 10ms to 1d")
    #expect(try range.duration("10ms", "--a") == .milliseconds(10))
    #expect(try range.duration("24h", "--a") == .day)
    for text in ["9.999999ms", "1.00001d", "-1s", "0", "", "x", "nan", "inf", "1e300s", "1e-300"] {
      let error = #expect(throws: RSSIError.self) { try range.duration(text, "--a") }
      #expect(error?.kind == .usage)
      #expect(error?.problem.contains("from 10ms to 1d") == true, "\(text)")
    }
    #expect("\(DurationRange.any)" == "above 0, at most 36500d")
    #expect(try DurationRange.any.duration("36500d", "--a") == DurationRange.longest)
    #expect(throws: RSSIError.self) { try DurationRange.any.duration("36501d", "--a") }
  }
}
