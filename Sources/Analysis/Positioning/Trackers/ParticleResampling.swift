import Geometry
import NumericalMethods

extension ParticleCloud {
  /// Replaces light particles with copies of heavy ones, if the effective sample size is below half
  /// the particles or there are more than wanted.
  ///
  /// Systematic resampling (Kitagawa 1996). Copies that walk are spread by a little of the cloud's
  /// breadth (Gordon, Salmond and Smith 1993): a tenth, which adds a hundredth to its variance.
  /// Copies that rest stay, because their beliefs about each link belong to their place, and they
  /// would not survive elsewhere.
  ///
  /// - Parameter size: The wanted number of blocks.
  mutating func resample(to size: Int) {
    weigh()
    let squares = weights.reduce(SIMD8<Float>.zero) { $0 + $1 * $1 }.sum()
    guard blocks.count > size || 1 / squares < 0.5 * Float(8 * blocks.count) else { return }
    let (_, spread) = places.moments(weights)
    copy(sources(size))
    moveApart(by: spread)
  }

  /// Returns the source particle of each copy.
  private mutating func sources(_ size: Int) -> [SIMD8<Int32>] {
    let count = Float(8 * size)
    let offset = numbers.uniform()[0]
    var sources = [SIMD8<Int32>](repeating: .zero, count: size)
    var (copies, passed) = (0, Float(0))
    for (block, weight) in weights.enumerated() {
      for lane in 0..<8 {
        passed += weight[lane] * count
        while Float(copies) + offset < passed, copies < 8 * size {
          sources[copies / 8][copies % 8] = Int32(8 * block + lane)
          copies += 1
        }
      }
    }
    // Rounding may leave out the last ones.
    let last = Int32(8 * weights.count - 1)
    for index in copies..<(8 * size) { sources[index / 8][index % 8] = last }
    return sources
  }

  private mutating func copy(_ sources: [SIMD8<Int32>]) {
    for column in beliefs.indices {
      let all = beliefs[column]
      beliefs[column] = sources.map { LinkBeliefs($0, of: all) }
    }
    ways.resample(sources, of: blocks)
    pasts = pasts.mapValues { places in sources.map { PlaceBlock($0, of: places) } }
    let all = blocks
    blocks = sources.map { ParticleBlock($0, of: all) }
    weights = Self.equalWeights(sources.count)
  }

  private mutating func moveApart(by spread: Covariance) {
    let jitterX = Float(0.1 * spread.xx.squareRoot())
    let jitterY = Float(0.1 * spread.yy.squareRoot())
    let jitterZ = Float(0.1 * (spread.vertical?.zz ?? 0).squareRoot())
    for index in blocks.indices {
      let (x, y) = numbers.gaussianPair()
      let place = blocks[index].place
      var moved = place
      let walks = blocks[index].walks
      moved.x += jitterX * walks * x
      moved.y += jitterY * walks * y
      let isAllowed = area.allows(place, moved)
      blocks[index].place.x.replace(with: moved.x, where: isAllowed)
      blocks[index].place.y.replace(with: moved.y, where: isAllowed)
      if area.heights != nil {
        let (z, _) = numbers.gaussianPair()
        blocks[index].place.height = area.clamp(height: place.height + jitterZ * walks * z)
      }
    }
  }
}
