import TestSupport
import Testing

@testable import Plotting

@Suite struct SeriesPictureTests {
  @Test func `every text is in the picture`() throws {
    let picture = try svg(
      chart(
        Series("received", .points(x: [0, 1, 2], y: [-70, -71, -69]), role: .raw),
        Series("kalman:q=0.1", .line(x: [0, 1, 2], y: [-70, -70.5, -70])),
        Series("95 %", .band(x: [0, 1, 2], low: [-72, -72, -72], high: [-68, -68, -68])),
        Series("held", .steps(x: [0, 1, 2], y: [-70, -71, -69])),
        Series("truth", .line(x: [0, 2], y: [-70, -70]), role: .truth)))
    let texts = try ask(picture, "print('\\n'.join(texts))")
    for text in [
      "a title", "time (s)", "level (dBm)", "received", "kalman:q=0.1", "95 %", "held", "truth",
    ] {
      #expect(texts.filter { $0 == text }.count == 1, "\(text)")
    }
  }

  /// The first colour of the palette is 0, 114, 178; the legend's sample is one path more.
  @Test(arguments: [
    ([1.0, 2, 3, 4, 5], 1), ([1, 2, .nan, 4, 5], 2), ([1, .infinity, 3, 4, 5], 1),
  ])
  func `a value that is not a number breaks a line`(y: [Double], pieces: Int) throws {
    let series = Series("a", .line(x: [0, 1, 2, 3, 4], y: y))
    let answer = try ask(
      try svg(chart(series)),
      "print(sum(d.count('M') for d in drawn(0, 114, 178)), sum('#gpPt6' in str(u) for u in uses))")
    // A row alone between gaps is drawn as a point. (The symbols' definitions use it twice.)
    let plain = try ask(
      try svg(chart(Series("a", .line(x: [0, 1], y: [1, 2])))),
      "print(sum('#gpPt6' in str(u) for u in uses))")
    let alone = y[1].isFinite ? 0 : 1
    #expect(answer == ["\(pieces + 1) \(try #require(Int(plain[0])) + alone)"])
  }

  @Test func `each point is drawn once`() throws {
    let count = { (rows: Int) in
      let x = (0..<rows).map(Double.init)
      return try ask(
        try svg(chart(Series("", .points(x: x, y: x)))),
        "print(sum('#gpPt6' in str(u) for u in uses))"
      ).compactMap(Int.init)[0]
    }
    #expect(try count(60) - count(10) == 50)
  }

  @Test func `steps hold each value until the next`() throws {
    let steps = Series("a", .steps(x: [0, 1, 2], y: [0, 1, 0]))
    let script = """
      d = max(drawn(0, 114, 178), key=len).replace('M', ' ').replace('L', ' ').split()
      p = [tuple(map(float, w.split(','))) for w in d]
      print(all(a[0] == b[0] or a[1] == b[1] for a, b in zip(p, p[1:])), len(set(p)))
      """
    #expect(try ask(try svg(chart(steps)), script) == ["True 5"])
  }

  /// On a logarithmic axis 1, 10 and 100 are equally far apart, and 0 is not drawn.
  @Test func `a logarithmic axis is one`() throws {
    let series = Series("a", .line(x: [0, 1, 10, 100], y: [1, 1, 2, 3]))
    let script = """
      d = max(drawn(0, 114, 178), key=len).replace('M', ' ').replace('L', ' ').split()
      x = [float(w.split(',')[0]) for w in d]
      print(len(x), abs((x[1] - x[0]) - (x[2] - x[1])) < 0.1, x[1] - x[0] > 100)
      """
    let picture = try svg(chart(series, x: Axis("distance (m)", scale: .logarithmic)))
    #expect(try ask(picture, script) == ["3 True True"])
  }

  @Test func `a series has the same colour in every panel and one entry`() throws {
    let (a, b) = (
      Series("a", .line(x: [0, 1], y: [0, 1])), Series("b", .line(x: [0, 1], y: [1, 0]))
    )
    let panels = [[a, b], [b]].map { Panel(x: Axis("x"), y: Axis("y"), series: $0) }
    let script = "print(len(drawn(0, 114, 178)), len(drawn(198, 80, 0)), texts.count('b'))"
    for arrangement in [Chart.Arrangement.stacked, .row] {
      let picture = try svg(Chart(panels: panels, arrangement: arrangement))
      #expect(try ask(picture, script) == ["2 3 1"])
    }
  }

  @Test func `an empty chart has a note`() throws {
    let picture = try svg(chart(Series("a", .line(x: [], y: []))))
    #expect(try ask(picture, "print(texts.count('no data'))") == ["1"])
  }

  @Test(arguments: [
    [5.0], [1e15, 1e15 + 0.125], [-1e308, 1e308, 1], [1e140, -1e140],
    [Double.leastNonzeroMagnitude, .leastNormalMagnitude],
  ])
  func `extreme values can be drawn`(values: [Double]) throws {
    for scale in [Axis.Scale.linear, .logarithmic] {
      let picture = try svg(
        chart(
          Series("a", .line(x: values, y: values)), x: Axis("x", scale: scale),
          y: Axis("y", scale: scale)))
      #expect(try ask(picture, "print(texts.count('a'))") == ["1"])
    }
  }
}
