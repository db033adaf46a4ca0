import RealModule

/// What the distances to some anchors are in ever smaller rectangles of a plane, for bounds of the
/// likelihood that need no logarithm.
///
/// Rectangles come in blocks of four, the parts of one rectangle: halves of both its sides, or
/// quarters of the longer one where that is more than twice the other. A block is worked out when it
/// is first visited, and serves every scan of the same anchors. Coordinates are relative to an origin
/// near the anchors, so that none loses digits.
struct PlaneTree {
  typealias Lanes = SIMD4<Double>

  /// Four rectangles: their middles, and half their common sides.
  struct Block {
    var x: Lanes
    var y: Lanes
    var halfWidth: Double
    var halfDepth: Double
    /// The blocks of their parts; -1 where they have not been worked out.
    var parts = SIMD4<Int32>(repeating: -1)
  }

  /// What one anchor's ln d² is over a rectangle: the middle and half the length of the interval.
  struct Interval {
    var middle = Lanes()
    var half = Lanes()
  }

  /// The expansion of one anchor's v = ln d² at the middle c of a rectangle:
  /// v(c + t) = value + slope·t + ½ tᵀ(curl I - slope slopeᵀ)t + a rest.
  struct Expansion {
    var value = Lanes()
    var slopeX = Lanes()
    var slopeY = Lanes()
    /// 2 / d².
    var curl = Lanes()
    /// Twice a bound of the rest after the second-order terms: |rest| ≤ (4/6) (R / d)³, with R half the
    /// diagonal and d the least distance, because no third derivative along a line exceeds 4 / d³.
    var thirdOrder = Lanes()
    /// Twice (a bound of |slope·t|) times (a bound of all beyond it, (R / d)²).
    var crossed = Lanes()
  }

  /// An anchor as seen from the origin.
  struct Place: Equatable {
    var x: Double
    var y: Double
    var squaredHeight: Double
  }

  let anchors: [Place]
  /// Squared distances below this are taken as this one: on top of an anchor.
  let leastSquared: Double
  private(set) var blocks: [Block] = []
  /// The blocks' intervals, one for each anchor, block after block.
  private(set) var intervals: [Interval] = []
  private(set) var expansions: [Expansion] = []

  /// - Parameter half: half the sides of the rectangle about the origin that the tree divides.
  init(anchors: [Place], halfWidth: Double, halfDepth: Double) {
    self.anchors = anchors
    let length = max(halfWidth, halfDepth)
    leastSquared = max(1e-24 * length * length, .leastNormalMagnitude)
    divide(x: 0, y: 0, halfWidth: halfWidth, halfDepth: halfDepth)
  }

  /// Forgets all but the first block where the tree has grown beyond some 30 MB.
  mutating func trim() {
    guard intervals.count > 100_000 else { return }
    blocks.removeSubrange(1...)
    blocks[0].parts = SIMD4(repeating: -1)
    intervals.removeSubrange(anchors.count...)
    expansions.removeSubrange(anchors.count...)
  }

  /// The block of the parts of a rectangle, worked out if need be.
  mutating func parts(of block: Int, _ lane: Int) -> Int {
    let known = blocks[block].parts[lane]
    if known >= 0 { return Int(known) }
    let whole = blocks[block]
    let number = blocks.count
    divide(x: whole.x[lane], y: whole.y[lane], halfWidth: whole.halfWidth, halfDepth: whole.halfDepth)
    blocks[block].parts[lane] = Int32(number)
    return number
  }

  private mutating func divide(x: Double, y: Double, halfWidth: Double, halfDepth: Double) {
    let quarters = Lanes(-0.75, -0.25, 0.25, 0.75)
    let block =
      if halfWidth > 2 * halfDepth {
        Block(
          x: x + quarters * halfWidth, y: Lanes(repeating: y), halfWidth: halfWidth / 4,
          halfDepth: halfDepth)
      } else if halfDepth > 2 * halfWidth {
        Block(
          x: Lanes(repeating: x), y: y + quarters * halfDepth, halfWidth: halfWidth,
          halfDepth: halfDepth / 4)
      } else {
        Block(
          x: x + Lanes(-0.5, 0.5, -0.5, 0.5) * halfWidth, y: y + Lanes(-0.5, -0.5, 0.5, 0.5) * halfDepth,
          halfWidth: halfWidth / 2, halfDepth: halfDepth / 2)
      }
    blocks.append(block)
    for anchor in anchors { append(anchor, over: block) }
  }

  private mutating func append(_ anchor: Place, over block: Block) {
    var interval = Interval()
    var expansion = Expansion()
    let squaredRadius = block.halfWidth * block.halfWidth + block.halfDepth * block.halfDepth
    for lane in 0..<4 {
      let (dx, dy) = (block.x[lane] - anchor.x, block.y[lane] - anchor.y)
      let (nearX, nearY) = (max(abs(dx) - block.halfWidth, 0), max(abs(dy) - block.halfDepth, 0))
      let near = max(nearX * nearX + nearY * nearY + anchor.squaredHeight, leastSquared)
      let squared = max(dx * dx + dy * dy + anchor.squaredHeight, leastSquared)
      let (value, curl) = (Double.log(squared), 2 / squared)
      let ratio = near > leastSquared ? squaredRadius / near : .infinity
      let along = curl * (abs(dx) * block.halfWidth + abs(dy) * block.halfDepth)
      expansion.value[lane] = value
      expansion.slopeX[lane] = dx * curl
      expansion.slopeY[lane] = dy * curl
      expansion.curl[lane] = curl
      // Near an anchor the expansion says nothing; a number keeps 0 × infinity away.
      expansion.thirdOrder[lane] = min(4 / 3 * ratio * ratio.squareRoot(), Self.unbounded)
      expansion.crossed[lane] = min(2 * along * ratio, Self.unbounded)
      if ratio < 0.01 {
        // Of a small rectangle the expansion tells the interval as well, without logarithms.
        interval.middle[lane] = value
        interval.half[lane] = along + ratio
      } else {
        let (farX, farY) = (abs(dx) + block.halfWidth, abs(dy) + block.halfDepth)
        let far = max(farX * farX + farY * farY + anchor.squaredHeight, leastSquared)
        let (low, high) = (Double.log(near), Double.log(far))
        interval.middle[lane] = (low + high) / 2
        interval.half[lane] = (high - low) / 2 * (1 + 1e-15) + 1e-14
      }
    }
    intervals.append(interval)
    expansions.append(expansion)
  }

  private static let unbounded = 1e100
}
