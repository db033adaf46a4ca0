/// A buffer that sorts the sightings of each link by time if they are late by no more than a
/// window.
///
/// A sighting is delayed until its link's clock has advanced by the window, so a less delayed one
/// can be inserted before it. Equal times keep their order of arrival. O(1) per sighting in order.
struct ReorderWindow: Sendable {
  /// The window in nanoseconds.
  private let window: Int64
  private var clocks: LinkClocks
  private var links: [Link] = []
  private var output = LevelRows()

  private struct Link {
    /// The sightings in order of time; valid from `first`.
    var held: [Held] = []
    var first = 0
    var isEmpty: Bool { first == held.count }
  }

  private struct Held {
    let row: Int
    let time: Int64
    let rssi: Double
    let channel: UInt8
  }

  /// - Parameters:
  ///   - window: The window in nanoseconds, above 0.
  ///   - jump: The smallest backward step in nanoseconds that means that a clock was set.
  init(window: Int64, jump: Int64) {
    self.window = window
    clocks = LinkClocks(jump: jump)
  }

  mutating func open(_ place: LinkPlace) {
    clocks.open(place)
    links.append(Link())
  }

  mutating func keep(_ links: [Int]) {
    self.links.keep(links)
    clocks.keep(links)
  }

  /// Replaces the sightings of a block by those that are due.
  mutating func process(_ rows: inout LevelRows) {
    output.removeAll()
    for index in 0..<rows.count {
      let link = Int(rows.link[index])
      let time = rows.time[index]
      if clocks.isJump(link, to: time) { release(link) { _ in true } }
      clocks.hear(link, at: time)
      insert(
        Held(
          row: rows.row[index], time: time, rssi: rows.rssi[index], channel: rows.channel[index]),
        into: link)
      releaseDue(link)
      if !links[link].isEmpty { clocks.wait(link) }
      for other in clocks.takeWaiting(with: link, every: window) {
        releaseDue(other)
        if links[other].isEmpty { links[other].held = [] } else { clocks.wait(other) }
      }
      while let other = clocks.nextSilent() { releaseAll(other) }
    }
    swap(&rows, &output)
  }

  /// Appends all delayed sightings of one trace or of all.
  mutating func finish(_ rows: inout LevelRows, trace: Int?) {
    output.removeAll()
    for link in clocks.takeWaiting(trace: trace) { releaseAll(link) }
    rows.append(contentsOf: output)
  }

  private mutating func releaseDue(_ link: Int) {
    let (time, overflow) = clocks.time(of: link).subtractingReportingOverflow(window)
    guard !overflow else { return }
    release(link) { $0.time <= time }
  }

  /// Releases the sightings of a link, with its memory, because it may never be received again.
  private mutating func releaseAll(_ link: Int) {
    release(link) { _ in true }
    links[link].held = []
  }

  private mutating func insert(_ sighting: Held, into link: Int) {
    guard !links[link].isEmpty, let last = links[link].held.last, sighting.time < last.time else {
      return links[link].held.append(sighting)
    }
    // Insert after those of the same time.
    var low = links[link].first
    var high = links[link].held.count
    while low < high {
      let middle = (low + high) / 2
      if links[link].held[middle].time <= sighting.time { low = middle + 1 } else { high = middle }
    }
    links[link].held.insert(sighting, at: low)
  }

  /// Releases the first sightings of a link while they are due.
  private mutating func release(_ link: Int, while isDue: (Held) -> Bool) {
    var first = links[link].first
    while first < links[link].held.count, isDue(links[link].held[first]) {
      let next = links[link].held[first]
      output.append(
        row: next.row, link: link, time: next.time, rssi: next.rssi, channel: next.channel)
      first += 1
    }
    if first == links[link].held.count {
      links[link].held.removeAll(keepingCapacity: true)
      first = 0
    } else if first > 64, first * 2 > links[link].held.count {
      links[link].held.removeFirst(first)
      first = 0
    }
    links[link].first = first
  }
}
