/// Eight particles: guesses of where a target is, whether and how fast it walks, and what its
/// levels are off by.
struct ParticleBlock {
  var place: PlaceBlock
  var velocityX = SIMD8<Float>.zero
  var velocityY = SIMD8<Float>.zero
  /// The logarithm of the root mean square of the speed in m/s, of those that walk.
  var logSpeed: SIMD8<Float>
  /// 1 for those that walk, 0 for those that rest.
  var walks: SIMD8<Float>
  /// How far they have come since they were copied, in metres.
  var way = SIMD8<Float>.zero
  var offset: OffsetBeliefs
  /// What the exponent of all curves is off by.
  var exponentError = SIMD8<Float>.zero
  var logWeight = SIMD8<Float>.zero
}

extension ParticleBlock {
  /// Copies of some particles, of weight 1 and with ways of 0.
  init(_ sources: SIMD8<Int32>, of all: [ParticleBlock]) {
    place = PlaceBlock(
      x: SIMD8(sources) { all[$0].place.x[$1] }, y: SIMD8(sources) { all[$0].place.y[$1] },
      height: SIMD8(sources) { all[$0].place.height[$1] })
    velocityX = SIMD8(sources) { all[$0].velocityX[$1] }
    velocityY = SIMD8(sources) { all[$0].velocityY[$1] }
    logSpeed = SIMD8(sources) { all[$0].logSpeed[$1] }
    walks = SIMD8(sources) { all[$0].walks[$1] }
    offset = OffsetBeliefs(
      mean: SIMD8(sources) { all[$0].offset.mean[$1] },
      variance: SIMD8(sources) { all[$0].offset.variance[$1] })
    exponentError = SIMD8(sources) { all[$0].exponentError[$1] }
  }
}

extension SIMD8<Float> {
  /// Numbers of some particles, each by its block and its place in it.
  @inline(__always)
  init(_ sources: SIMD8<Int32>, _ number: (_ block: Int, _ lane: Int) -> Float) {
    @inline(__always)
    func value(_ lane: Int) -> Float {
      let source = Int(sources[lane])
      return number(source &>> 3, source & 7)
    }
    self.init(value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7))
  }
}
