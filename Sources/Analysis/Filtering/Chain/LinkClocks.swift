/// How far time has gone on for each link, so that what waits for a link that fell silent is known
/// to wait in vain.
///
/// A link's clock is its newest sighting, and how much its receiver's clock has gone on since, as
/// other links of the receiver show: they may differ in time by any amount, as in a file sorted by
/// beacon. A link that was not heard for a great many sightings of others has no time left to wait
/// for.
struct LinkClocks: Sendable {
  /// Sightings of others after which a link is silent, whatever the clocks state: clocks stop where
  /// a receiver dies, a trace ends or a time was wrong.
  static let patience = 65_536

  /// A clock that moves by more than this from one sighting to the next was set; nothing went on.
  /// Nanoseconds.
  private let jump: Int64
  private var links: [Link] = []
  private var feeds: [Feed] = []
  /// By trace and receiver, the number of the feed or -1.
  private var numbers: [[Int]] = []
  private var feedsOfTrace: [[Int]] = []
  /// Links that wait, or did, with when they were heard; from `first` on.
  private var queue: [(link: Int, since: Int)] = []
  private var first = 0
  /// Sightings so far.
  private(set) var heard = 0

  private struct Link {
    let feed: Int
    var newest = Int64.min
    /// Progress of the feed as this link's own times show.
    var own: Int64 = 0
    /// Progress of the feed, and sightings so far, when the link was heard last.
    var progress: Int64 = 0
    var heard = 0
    var isWaiting = false
    var isQueued = false
  }

  /// What one receiver hears in one trace.
  private struct Feed {
    /// Nanoseconds that its clock has gone on, as its links show.
    var progress: Int64 = 0
    /// Progress when its waiting links were looked at last.
    var looked: Int64 = 0
    var waiting: [Int] = []
  }

  init(jump: Int64) { self.jump = jump }

  /// Makes room for the next link.
  mutating func open(_ place: LinkPlace) {
    while numbers.count <= place.trace {
      numbers.append([])
      feedsOfTrace.append([])
    }
    while numbers[place.trace].count <= place.receiver { numbers[place.trace].append(-1) }
    if numbers[place.trace][place.receiver] < 0 {
      numbers[place.trace][place.receiver] = feeds.count
      feedsOfTrace[place.trace].append(feeds.count)
      feeds.append(Feed())
    }
    links.append(Link(feed: numbers[place.trace][place.receiver]))
  }

  /// Forgets all links but these, which are numbered by their places in the list.
  mutating func keep(_ kept: [Int]) {
    var numbers: [Int: Int] = [:]
    for (new, old) in kept.enumerated() { numbers[old] = new }
    links.keep(kept)
    for feed in feeds.indices {
      feeds[feed].waiting = feeds[feed].waiting.compactMap { numbers[$0] }
    }
    queue = queue[first...].compactMap { entry in numbers[entry.link].map { ($0, entry.since) } }
    first = 0
  }

  /// Returns whether a time is so far before the newest one of a link that the clock must have been
  /// set.
  func isJump(_ link: Int, to time: Int64) -> Bool {
    time < links[link].newest && isBeyond(jump, from: time, to: links[link].newest)
  }

  /// Takes note of a sighting.
  mutating func hear(_ link: Int, at time: Int64) {
    heard += 1
    let (feed, newest) = (links[link].feed, links[link].newest)
    if links[link].heard == 0 || isBeyond(jump, from: min(newest, time), to: max(newest, time)) {
      links[link].own = feeds[feed].progress
    } else if time > newest {
      // By as much at least: how far links are apart from each other does not matter.
      links[link].own &+= time &- newest
      feeds[feed].progress = max(feeds[feed].progress, links[link].own)
    }
    if links[link].heard == 0 || time > newest || isJump(link, to: time) {
      links[link].newest = time
    }
    links[link].progress = feeds[feed].progress
    links[link].heard = heard
  }

  /// The time of a link now.
  func time(of link: Int) -> Int64 {
    let progress = feeds[links[link].feed].progress &- links[link].progress
    let (time, overflow) = links[link].newest.addingReportingOverflow(progress)
    return overflow ? .max : time
  }

  /// Takes note that a link waits for time to go on.
  mutating func wait(_ link: Int) {
    guard !links[link].isWaiting else { return }
    links[link].isWaiting = true
    feeds[links[link].feed].waiting.append(link)
    enqueue(link)
  }

  /// The waiting links of a link's receiver, where its clock has gone on by a step since they were
  /// looked at last. They wait no longer; those that still have to must state it.
  mutating func takeWaiting(with link: Int, every step: Int64) -> [Int] {
    let feed = links[link].feed
    guard feeds[feed].progress &- feeds[feed].looked >= step else { return [] }
    feeds[feed].looked = feeds[feed].progress
    return takeWaiting(of: feed)
  }

  /// All waiting links, or those of one trace. They wait no longer.
  mutating func takeWaiting(trace: Int?) -> [Int] {
    guard let trace else { return feeds.indices.flatMap { takeWaiting(of: $0) } }
    guard trace < feedsOfTrace.count else { return [] }
    return feedsOfTrace[trace].flatMap { takeWaiting(of: $0) }
  }

  private mutating func takeWaiting(of feed: Int) -> [Int] {
    var waiting: [Int] = []
    swap(&waiting, &feeds[feed].waiting)
    for link in waiting { links[link].isWaiting = false }
    return waiting
  }

  /// The next waiting link that has fallen silent; nil where there is none. It still waits.
  mutating func nextSilent() -> Int? {
    while first < queue.count, heard - queue[first].since >= Self.patience {
      let link = queue[first].link
      first += 1
      if first > 1024, first * 2 > queue.count {
        queue.removeFirst(first)
        first = 0
      }
      links[link].isQueued = false
      guard links[link].isWaiting else { continue }
      if heard - links[link].heard >= Self.patience { return link }
      enqueue(link)
    }
    return nil
  }

  private mutating func enqueue(_ link: Int) {
    guard !links[link].isQueued else { return }
    links[link].isQueued = true
    queue.append((link, links[link].heard))
  }

  private func isBeyond(_ step: Int64, from: Int64, to: Int64) -> Bool {
    UInt64(bitPattern: to &- from) > UInt64(step)
  }
}
