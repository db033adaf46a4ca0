/// The levels of a time window that ends with the latest one, in order of arrival.
///
/// The window is (t − length, t]: a level of exactly its length is outside. A ring of a power of
/// two, which grows and never shrinks. O(1) per level.
struct TimeWindow: Sendable {
  struct Heard: Sendable {
    /// The time in nanoseconds.
    var time: Int64
    /// The level in dBm.
    var rssi: Double
  }

  /// The length in nanoseconds.
  let length: Int64
  private(set) var count = 0
  private var newest = Int64.min
  private var first = 0
  private var ring = [Heard](repeating: Heard(time: 0, rssi: 0), count: 8)

  /// - Parameter length: The length in nanoseconds, above 0.
  init(length: Int64) { self.length = length }

  /// Returns a level by age: 0 is the oldest.
  subscript(index: Int) -> Heard {
    @inline(__always) get { ring[(first &+ index) & (ring.count &- 1)] }
  }

  /// Moves the end of the window, and returns the number of levels that are now outside. They stay
  /// until `removeFirst`. An earlier time counts as the latest one.
  @inline(__always)
  mutating func advance(to time: Int64) -> Int {
    if time > newest { newest = time }
    var gone = 0
    // An age always fits into UInt64, but `newest - length` may exceed Int64.
    while gone < count, UInt64(bitPattern: newest &- self[gone].time) >= UInt64(length) {
      gone &+= 1
    }
    return gone
  }

  @inline(__always)
  mutating func removeFirst(_ number: Int) {
    first = (first &+ number) & (ring.count &- 1)
    count &-= number
  }

  /// Adds a level at the end of the window.
  @inline(__always)
  mutating func append(_ rssi: Double) {
    if count == ring.count { grow() }
    ring[(first &+ count) & (ring.count &- 1)] = Heard(time: newest, rssi: rssi)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let unrolled = (0..<count).map { self[$0] }
    ring = unrolled + [Heard](repeating: Heard(time: 0, rssi: 0), count: count)
    first = 0
  }
}
