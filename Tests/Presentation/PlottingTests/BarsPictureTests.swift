import TestSupport
import Testing

@testable import Plotting

@Suite struct BarsPictureTests {
  private func bars(_ bars: Bars) throws -> String {
    try svg(Chart(panels: [Panel(x: Axis("RMSE (dB)"), bars: bars)]))
  }

  /// Polygons of boxes are filled with the palette's blue; their lengths are read back in pixels.
  @Test func `lengths are in proportion`() throws {
    let picture = try bars(Bars(labels: ["none", "mean", "kalman"], values: [4, 2, 1]))
    let script = """
      import re
      print(*[t for t in texts if t in ('none', 'mean', 'kalman', '4.00', '2.00', '1.00')])
      widths = []
      for e in root.iter(space + 'polygon'):
        x = [float(w.split(',')[0]) for w in e.attrib['points'].split()]
        widths.append(max(x) - min(x))
      print(len(widths), *[round(w / widths[-1], 2) for w in widths])
      """
    let lines = try ask(picture, script)
    #expect(
      Set(lines[0].split(separator: " ")) == ["none", "mean", "kalman", "4.00", "2.00", "1.00"])
    #expect(lines[1] == "3 4.0 2.0 1.0")
  }

  @Test func `a value that is not a number has a label without a bar`() throws {
    let script = """
      print(len(list(root.iter(space + 'polygon'))), texts.count('a'), texts.count('nan'))
      """
    #expect(try ask(try bars(Bars(labels: ["a", "b"], values: [.nan, 1])), script) == ["1 1 0"])
  }

  @Test func `intervals are drawn`() throws {
    let script = "print(len(drawn(27, 31, 36)) + len([p for p in paths if '#1b1f24' in str(p)]))"
    let plain = try ask(try bars(Bars(labels: ["a"], values: [2])), script)
    let whiskers = try ask(
      try bars(Bars(labels: ["a"], values: [2], low: [1], high: [3])), script)
    #expect(plain != whiskers)
  }

  @Test func `no bars and negative bars are drawn`() throws {
    #expect(
      try ask(try bars(Bars(labels: [], values: [])), "print('no data' in texts)") == ["True"])
    let picture = try bars(Bars(labels: ["a"], values: [-2], decimals: 1))
    #expect(try ask(picture, "print('-2.0' in texts)") == ["True"])
  }
}
