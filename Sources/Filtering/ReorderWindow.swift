/// Puts the sightings of each receiver into order of time, as far as they are late by no more than
/// a window.
///
/// A sighting is held back until its receiver has one that is younger by the window, so what is late
/// by less is in its place. Equal times keep the order in which they came. O(1) a sighting in order.
struct ReorderWindow: Sendable {
  /// Nanoseconds.
  let window: Int64
  private var feeds: [Feed] = []
  /// Feed of each link.
  private var feedOfLink: [Int] = []
  private var numbers: [[Int]] = []
  private var clocks = FeedClocks()
  private var output = LevelRows()

  private struct Feed {
    let place: LinkPlace
    var newest = Int64.min
    /// In order of time, from `first` on.
    var held: [Held] = []
    var first = 0
  }

  private struct Held {
    let row: Int
    let time: Int64
    let rssi: Double
    let link: Int32
    let channel: UInt8
  }

  init(window: Int64) { self.window = window }

  mutating func open(_ place: LinkPlace) {
    clocks.open(place)
    while numbers.count <= place.trace { numbers.append([]) }
    while numbers[place.trace].count <= place.receiver { numbers[place.trace].append(-1) }
    if numbers[place.trace][place.receiver] < 0 {
      numbers[place.trace][place.receiver] = feeds.count
      feeds.append(Feed(place: place))
    }
    feedOfLink.append(numbers[place.trace][place.receiver])
  }

  /// Replaces the sightings of a block by those whose turn has come.
  mutating func process(_ rows: inout LevelRows) {
    output.removeAll()
    for index in 0..<rows.count {
      let number = feedOfLink[Int(rows.link[index])]
      insert(
        Held(
          row: rows.row[index], time: rows.time[index], rssi: rows.rssi[index],
          link: rows.link[index], channel: rows.channel[index]), into: number)
      release(number, upTo: earlier(feeds[number].newest))
      clocks.advance(feeds[number].place, to: rows.time[index])
      if clocks.isDue(every: 10_000_000_000) {
        for feed in feeds.indices { release(feed, upTo: earlier(clocks.time(of: feeds[feed].place))) }
      }
    }
    swap(&rows, &output)
  }

  /// Appends all that is held back of the links asked for.
  mutating func finish(_ rows: inout LevelRows, where isOver: (LinkPlace) -> Bool) {
    output.removeAll()
    for feed in feeds.indices where isOver(feeds[feed].place) { release(feed, upTo: .max) }
    rows.append(contentsOf: output)
  }

  private func earlier(_ time: Int64) -> Int64 {
    let (result, overflow) = time.subtractingReportingOverflow(window)
    return overflow ? .min : result
  }

  private mutating func insert(_ sighting: Held, into feed: Int) {
    if sighting.time >= feeds[feed].newest {
      feeds[feed].newest = sighting.time
      feeds[feed].held.append(sighting)
      return
    }
    // After those of the same time.
    var low = feeds[feed].first
    var high = feeds[feed].held.count
    while low < high {
      let middle = (low + high) / 2
      if feeds[feed].held[middle].time <= sighting.time { low = middle + 1 } else { high = middle }
    }
    feeds[feed].held.insert(sighting, at: low)
  }

  private mutating func release(_ feed: Int, upTo time: Int64) {
    var first = feeds[feed].first
    while first < feeds[feed].held.count, feeds[feed].held[first].time <= time {
      let next = feeds[feed].held[first]
      output.append(
        row: next.row, link: Int(next.link), time: next.time, rssi: next.rssi,
        channel: next.channel)
      first += 1
    }
    if first == feeds[feed].held.count {
      feeds[feed].held.removeAll(keepingCapacity: true)
      first = 0
    } else if first > 64, first * 2 > feeds[feed].held.count {
      feeds[feed].held.removeFirst(first)
      first = 0
    }
    feeds[feed].first = first
  }
}
