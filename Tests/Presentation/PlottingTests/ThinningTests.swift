import TestSupport
import Testing

@testable import Plotting

@Suite struct ThinningTests {
  private let x: [Double]
  private let y: [Double]
  private let thinning: Thinning

  init() {
    var random = SeededGenerator(seed: 7)
    x = (0..<200_000).map(Double.init)
    y = x.map { _ in Double.random(in: -100...(-30), using: &random) }
    thinning = Thinning(
      x: Extent(Axis(""), of: [x]), y: Extent(Axis(""), of: [y]), width: 800, height: 250)
  }

  @Test func `a short series is whole`() {
    let rows = thinning.pieces(.line(x: Array(x[..<4_000]), y: Array(y[..<4_000])))
    #expect(rows.count == 1 && rows[0].map(\.x) == Array(x[..<4_000]))
  }

  /// In each of 800 columns the thinned line begins, ends and reaches as the whole one does.
  @Test func `a long line reaches as far in each column`() {
    let kept = thinning.pieces(.line(x: x, y: y))[0]
    #expect(kept.count <= 4 * 801)
    func columns(_ rows: [(x: Double, y: Double)]) -> [[Double]] {
      let groups = Dictionary(grouping: rows) { Int($0.x / (x[x.count - 1] / 800)) }
      return groups.sorted { $0.key < $1.key }.map { _, rows in
        [rows[0].y, rows[rows.count - 1].y, rows.map(\.y).min() ?? 0, rows.map(\.y).max() ?? 0]
      }
    }
    #expect(columns(kept.map { ($0.x, $0.low) }) == columns(zip(x, y).map { ($0, $1) }))
  }

  @Test func `a long band covers the whole`() {
    let kept = thinning.pieces(.band(x: x, low: y, high: y.map { $0 + 1 }))[0]
    #expect(kept.count <= 2 * 801)
    #expect(kept.map(\.low).min() == y.min() && kept.map(\.high).max() == y.max().map { $0 + 1 })
  }

  @Test func `many points leave no wide hole`() {
    let kept = thinning.pieces(.points(x: x, y: y))[0]
    #expect(kept.count <= Thinning.limit && kept.count > Thinning.limit / 2)
    let all = Set(zip(x, y).map { [$0, $1] })
    #expect(kept.allSatisfy { all.contains([$0.x, $0.low]) })
    // Each twelfth of the width by each twelfth of the height keeps some.
    let across = 12 / Double(x.count)
    let cells = Set(kept.map { [Int($0.x * across), Int(($0.low + 100) / 70.001 * 12)] })
    #expect(cells.count == 144)
  }

  @Test func `gaps outlive thinning`() {
    var broken = y
    broken[100_000] = .nan
    #expect(thinning.pieces(.line(x: x, y: broken)).count == 2)
  }

  /// A path that turns back is not sorted.
  @Test func `a line may run backwards`() {
    let kept = thinning.pieces(.line(x: x.reversed(), y: y))[0]
    #expect(kept.first?.x == x.last && kept.last?.x == x.first)
    #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.x > $1.x })
  }

  @Test func `a million rows make a small file`() throws {
    let picture = try svg(
      chart(
        Series("a", .points(x: x, y: y), role: .raw), Series("b", .line(x: x, y: y)),
        Series("c", .steps(x: x, y: y)), Series("d", .band(x: x, low: y, high: y))))
    #expect(picture.utf8.count < 1_000_000)
  }
}
