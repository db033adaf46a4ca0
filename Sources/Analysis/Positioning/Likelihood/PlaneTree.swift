import Geometry
import RealModule

/// A quadtree of the distances to some anchors, for bounds of the likelihood without logarithms.
///
/// Rectangles come in blocks of four, the parts of one rectangle. A block is computed on its first
/// visit and serves every scan of the same anchors. Small rectangles are not kept, because few
/// scans would share one. Coordinates are relative to an origin near the anchors, so none loses
/// digits.
struct PlaneTree {
  typealias Lanes = SIMD4<Double>
  typealias Coarse = CubicBound<SIMD4<Float>>
  typealias Fine = CubicBound<SIMD4<Double>>

  /// An anchor relative to the origin.
  struct Place: Equatable {
    var x: Double
    var y: Double
    var squaredHeight: Double
  }

  let anchors: [Place]
  /// The smallest squared distance, to which smaller ones at an anchor are raised.
  let leastSquared: Double
  /// The longer half side below which rectangles are not kept.
  private let shortest: Double
  private(set) var blocks: [PlaneBlock] = []
  /// The parts of the blocks, one per anchor, block after block.
  private(set) var parts: [Coarse.Part] = []
  /// The child blocks of each block's rectangles; -1 for those not computed yet.
  private var children: [SIMD4<Int32>] = []

  /// - Parameter half: Half the sides of the root rectangle, which is centred on the origin.
  init(anchors: [Place], halfWidth: Double, halfDepth: Double) {
    self.anchors = anchors
    let length = max(halfWidth, halfDepth)
    leastSquared = max(1e-24 * length * length, .leastNormalMagnitude)
    shortest = length / 400
    append(PlaneBlock(dividing: 0, 0, halfWidth: halfWidth, halfDepth: halfDepth))
  }

  /// Discards all but the first block if the tree exceeds about 10 MB.
  mutating func trim() {
    guard parts.count > 100_000 else { return }
    blocks.removeSubrange(1...)
    children.removeSubrange(1...)
    children[0] = SIMD4(repeating: -1)
    parts.removeSubrange(anchors.count...)
  }

  /// Returns the block of a rectangle's parts, computed if necessary, or `nil` if the rectangle is
  /// too small.
  mutating func parts(of block: Int, _ lane: Int) -> Int? {
    let known = children[block][lane]
    if known >= 0 { return Int(known) }
    let whole = blocks[block]
    guard max(whole.halfWidth, whole.halfDepth) >= shortest else { return nil }
    let number = blocks.count
    append(whole.divided(lane))
    children[block][lane] = Int32(number)
    return number
  }

  private mutating func append(_ block: PlaneBlock) {
    blocks.append(block)
    children.append(SIMD4(repeating: -1))
    for anchor in anchors { parts.append(Coarse.Part(part(of: anchor, over: block))) }
  }

  /// Returns the expansion of one anchor's ln d² over the rectangles of a block.
  func part(of anchor: Place, over block: PlaneBlock) -> Fine.Part {
    var part = Fine.Part()
    let (dx, dy) = (block.x - anchor.x, block.y - anchor.y)
    let squared = dx * dx + dy * dy + anchor.squaredHeight
    let squaredRatio = block.squaredRadius / squared
    part.curl = 2 / squared
    part.slopeX = dx * part.curl
    part.slopeY = dy * part.curl
    part.rest = squaredRatio * squaredRatio / (1 - squaredRatio.squareRoot())
    for lane in 0..<4 {
      if squaredRatio[lane] < Self.nearSquaredRatio, squared[lane] > 4 * leastSquared {
        part.value[lane] = Double.log(squared[lane])
        continue
      }
      let (farX, farY) = (abs(dx[lane]) + block.halfWidth, abs(dy[lane]) + block.halfDepth)
      let (nearX, nearY) = (max(farX - 2 * block.halfWidth, 0), max(farY - 2 * block.halfDepth, 0))
      let low = Double.log(max(nearX * nearX + nearY * nearY + anchor.squaredHeight, leastSquared))
      let high = Double.log(max(farX * farX + farY * farY + anchor.squaredHeight, leastSquared))
      part.value[lane] = (low + high) / 2
      part.slack[lane] = (high - low) / 2 * (1 + 1e-15) + 1e-14
      (part.slopeX[lane], part.slopeY[lane], part.curl[lane], part.rest[lane]) = (0, 0, 0, 0)
    }
    return part
  }

  /// The square of ρ above which an anchor is too near for the expansion, which would then be worse
  /// than the interval.
  private static let nearSquaredRatio = 0.1
}

/// Four rectangles that divide one: in halves of both sides, or in quarters of the longer side if
/// it is more than twice the other.
struct PlaneBlock {
  /// The centres of the rectangles.
  let x: SIMD4<Double>
  let y: SIMD4<Double>
  /// Half the common sides of the rectangles.
  let halfWidth: Double
  let halfDepth: Double

  init(dividing x: Double, _ y: Double, halfWidth: Double, halfDepth: Double) {
    let quarters = SIMD4(-0.75, -0.25, 0.25, 0.75)
    if halfWidth > 2 * halfDepth {
      (self.x, self.y) = (x + quarters * halfWidth, SIMD4(repeating: y))
      (self.halfWidth, self.halfDepth) = (halfWidth / 4, halfDepth)
    } else if halfDepth > 2 * halfWidth {
      (self.x, self.y) = (SIMD4(repeating: x), y + quarters * halfDepth)
      (self.halfWidth, self.halfDepth) = (halfWidth, halfDepth / 4)
    } else {
      self.x = x + SIMD4(-0.5, 0.5, -0.5, 0.5) * halfWidth
      self.y = y + SIMD4(-0.5, -0.5, 0.5, 0.5) * halfDepth
      (self.halfWidth, self.halfDepth) = (halfWidth / 2, halfDepth / 2)
    }
  }

  /// The square of half a rectangle's diagonal.
  var squaredRadius: Double { halfWidth * halfWidth + halfDepth * halfDepth }

  /// Returns the parts of one of its rectangles.
  func divided(_ lane: Int) -> PlaneBlock {
    PlaneBlock(dividing: x[lane], y[lane], halfWidth: halfWidth, halfDepth: halfDepth)
  }

  /// Returns a mask of the rectangles that reach farther from a place than a radius.
  func reaches(beyond radius: Double, from place: Point) -> SIMDMask<SIMD4<Int64>> {
    let (dx, dy) = (x - place.x, y - place.y)
    let farX = dx.replacing(with: -dx, where: dx .< 0) + halfWidth
    let farY = dy.replacing(with: -dy, where: dy .< 0) + halfDepth
    return farX * farX + farY * farY .> radius * radius
  }
}
