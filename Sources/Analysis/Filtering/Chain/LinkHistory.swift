/// The latest sighting of each link of a chain, from which late sightings and long gaps are
/// detected.
struct LinkHistory: Sendable {
  private var links: [Link] = []
  /// The latest sightings in order of arrival, if they are reordered afterwards.
  private var arrivals: [Int64] = []
  /// The longest time without a level, in nanoseconds, after which a link's filters restart, as
  /// they do after a larger backward step.
  private let longest: UInt64
  private let jump: UInt64

  private struct Link {
    /// The time of the latest sighting with a level; meaningless without one.
    var newest = Int64.min
    var samples: UInt64 = 0
  }

  init(resetAfter: Int64?, jump: Int64) {
    longest = resetAfter.map { UInt64($0) } ?? .max
    self.jump = UInt64(jump)
  }

  var count: Int { links.count }

  mutating func open() {
    links.append(Link())
    arrivals.append(.min)
  }

  mutating func keep(_ links: [Int]) {
    self.links.keep(links)
    arrivals.keep(links)
  }

  func samples(ofLink link: Int) -> UInt64 { links[link].samples }

  /// Counts sightings that arrive after a later one of their link.
  mutating func noteArrivals(_ rows: borrowing LevelRows) -> Int {
    var newest: [Int64] = []
    swap(&newest, &arrivals)
    defer { swap(&newest, &arrivals) }
    var count = 0
    let links = rows.link.span
    let times = rows.time.span
    for index in 0..<links.count {
      let link = Int(links[index])
      let time = times[index]
      if time < newest[link], newest[link] != .min,
        UInt64(bitPattern: newest[link] &- time) <= jump
      {
        count += 1
      } else {
        newest[link] = time
      }
    }
    return count
  }

  /// Records sightings in order, and sets the times of those that are too late to that of the
  /// latest one. Returns those that restart a link.
  mutating func note(
    _ rows: borrowing LevelRows, _ timeColumn: inout [Int64], _ startColumn: inout [Bool]
  ) -> FilterCounts {
    var counts = FilterCounts()
    let (longest, jump) = (longest, jump)
    let numbers = rows.link.span
    let levels = rows.rssi.span
    var times = timeColumn.mutableSpan
    var starts = startColumn.mutableSpan
    var links = links.mutableSpan
    for index in 0..<numbers.count {
      guard !levels[index].isNaN else {
        counts.missing += 1
        continue
      }
      let number = Int(numbers[index])
      var link = links[number]
      let time = times[index]
      if time >= link.newest {
        if UInt64(bitPattern: time &- link.newest) > longest, link.samples > 0 {
          starts[index] = true
          counts.restarts += 1
        }
        link.newest = time
      } else if UInt64(bitPattern: link.newest &- time) > jump {
        starts[index] = true
        counts.restarts += 1
        counts.clockSteps += 1
        link.newest = time
      } else {
        counts.late += 1
        times[index] = link.newest
      }
      link.samples += 1
      links[number] = link
    }
    return counts
  }
}
