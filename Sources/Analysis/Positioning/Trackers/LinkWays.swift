import NumericalMethods

/// The path lengths of all particles at the moments at which links were last received.
///
/// The beliefs of ``LinkBeliefs`` are those of that moment. Links received at the same moment share
/// it, so that decays are computed once per moment, not once per level.
struct LinkWays {
  /// The path lengths in metres at each moment, block by block.
  private var ways: [[SIMD8<Float>]]
  /// The moment of each link, an index of the ways.
  private var momentOfLink: [Int]

  /// Creates the state of links that were never received.
  ///
  /// - Parameter blocks: The number of blocks of particles.
  init(links: Int, blocks: Int) {
    ways = [Array(repeating: .zero, count: blocks)]
    momentOfLink = Array(repeating: 0, count: links)
  }

  /// The number of moments.
  var moments: Int { ways.count }

  /// Returns the index of the moment at which a link was last received.
  func moment(of link: Int) -> Int { momentOfLink[link] }

  /// Returns the decays from a moment to the present.
  ///
  /// - Parameter nearDistance: The correlation length of the second component, in metres.
  func decays(
    from moment: Int, to blocks: [ParticleBlock], nearDistance: Float
  ) -> [ShadowingDecay] {
    let ways = ways[moment]
    return ways.indices.map {
      ShadowingDecay(over: blocks[$0].way - ways[$0], nearDistance: nearDistance)
    }
  }

  /// Makes the present the moment of some links.
  mutating func receive(_ links: some Sequence<Int>, at blocks: [ParticleBlock]) {
    let moment = ways.indices.first { !momentOfLink.contains($0) } ?? ways.count
    if moment == ways.count { ways.append([]) }
    for link in links { momentOfLink[link] = moment }
    ways[moment] = blocks.indices.map { blocks[$0].way }
  }

  /// Replaces the particles with copies of some, whose path lengths are 0 at present.
  mutating func resample(_ sources: [SIMD8<Int32>], of blocks: [ParticleBlock]) {
    // Moments of no link are stale.
    for moment in ways.indices where momentOfLink.contains(moment) {
      let all = ways[moment]
      ways[moment] = sources.map { source in
        SIMD8(source) { all[$0][$1] - blocks[$0].way[$1] }
      }
    }
  }
}

/// The correlations of the two components of eight particles' shadowing with those before a part
/// of the path.
struct ShadowingDecay {
  let far: SIMD8<Float>
  let near: SIMD8<Float>

  /// - Parameters:
  ///   - step: The lengths of the part, in metres.
  ///   - nearDistance: The correlation length of the second component, in metres.
  @inline(__always)
  init(over step: SIMD8<Float>, nearDistance: Float) {
    far = (step * Float(-1 / Shadowing.farDistance)).exponential
    near = (step * (-1 / nearDistance)).exponential
  }
}
