/// The levels of a window of time that ends with the newest one, in the order in which they came.
///
/// The window is (t − length, t]: a level exactly as old as the window has left it. A ring of a
/// power of two, which grows and never shrinks. O(1) a level.
struct TimeWindow: Sendable {
  struct Heard: Sendable {
    /// Nanoseconds.
    var time: Int64
    /// dBm.
    var rssi: Double
  }

  /// Nanoseconds.
  let length: Int64
  private(set) var count = 0
  private var newest = Int64.min
  private var first = 0
  private var ring = [Heard](repeating: Heard(time: 0, rssi: 0), count: 8)

  /// - Parameter length: nanoseconds, above 0.
  init(length: Int64) { self.length = length }

  /// A level by its age in order: 0 is the oldest.
  subscript(index: Int) -> Heard {
    @inline(__always) get { ring[(first &+ index) & (ring.count &- 1)] }
  }

  /// Moves the end of the window, and shows how many levels have thereby left it. They stay until
  /// `removeFirst`. An earlier time than the newest one counts as that.
  @inline(__always)
  mutating func advance(to time: Int64) -> Int {
    if time > newest { newest = time }
    var gone = 0
    // No level has an age that is beyond UInt64, while `newest - length` may be beyond Int64.
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

  /// Takes a level at the end of the window.
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
