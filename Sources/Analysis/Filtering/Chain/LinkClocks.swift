/// The progress of time for each link, and the time for which a silent link must still be waited for.
///
/// A link's clock is its latest sighting plus the progress of its receiver's clock since, as shown
/// by the receiver's other links. Links may differ in time by any amount, as in a file sorted by
/// beacon. A link that is silent during very many sightings of others is no longer waited for.
struct LinkClocks: Sendable {
  /// The number of sightings of others after which a link counts as silent, for any clock: clocks
  /// stop if a receiver fails, a trace ends or a time was wrong.
  static let patience = 65_536

  /// The largest step of a clock between sightings, in nanoseconds; a larger one means that the
  /// clock was set, and does not count as progress.
  private let jump: Int64
  private var links: [Link] = []
  private var feeds: [Feed] = []
  /// The number of the feed, by trace and receiver, or -1.
  private var numbers: [[Int]] = []
  private var feedsOfTrace: [[Int]] = []
  /// The links that wait, or have waited, with the count of sightings at that time; valid from
  /// `first`.
  private var queue: [(link: Int, since: Int)] = []
  private var first = 0
  /// The number of sightings so far.
  private(set) var heard = 0

  private struct Link {
    let feed: Int
    var newest = Int64.min
    /// The progress of the feed according to this link's own times.
    var own: Int64 = 0
    /// The progress of the feed, and the number of sightings, at the link's latest sighting.
    var progress: Int64 = 0
    var heard = 0
    var isWaiting = false
    var isQueued = false
  }

  /// The links of one receiver in one trace.
  private struct Feed {
    /// The progress of its clock in nanoseconds, according to its links.
    var progress: Int64 = 0
    /// The progress when its waiting links were last checked.
    var looked: Int64 = 0
    var waiting: [Int] = []
  }

  init(jump: Int64) { self.jump = jump }

  /// Adds the next link.
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

  /// Keeps only the given links, which are renumbered by their positions in the list.
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

  /// Returns a Boolean value that is true if a time is so far before the latest one of a link that
  /// the clock must have been set.
  func isJump(_ link: Int, to time: Int64) -> Bool {
    time < links[link].newest && isBeyond(jump, from: time, to: links[link].newest)
  }

  /// Records a sighting.
  mutating func hear(_ link: Int, at time: Int64) {
    heard += 1
    let (feed, newest) = (links[link].feed, links[link].newest)
    if links[link].heard == 0 || isBeyond(jump, from: min(newest, time), to: max(newest, time)) {
      links[link].own = feeds[feed].progress
    } else if time > newest {
      // This is a lower bound: the offset between links does not matter.
      links[link].own &+= time &- newest
      feeds[feed].progress = max(feeds[feed].progress, links[link].own)
    }
    if links[link].heard == 0 || time > newest || isJump(link, to: time) {
      links[link].newest = time
    }
    links[link].progress = feeds[feed].progress
    links[link].heard = heard
  }

  /// Returns the current time of a link.
  func time(of link: Int) -> Int64 {
    let progress = feeds[links[link].feed].progress &- links[link].progress
    let (time, overflow) = links[link].newest.addingReportingOverflow(progress)
    return overflow ? .max : time
  }

  /// Records that a link waits for its clock to advance.
  mutating func wait(_ link: Int) {
    guard !links[link].isWaiting else { return }
    links[link].isWaiting = true
    feeds[links[link].feed].waiting.append(link)
    enqueue(link)
  }

  /// Returns the waiting links of a link's receiver if its clock has advanced by a step since they
  /// were last checked. They are removed; those that must still wait have to be added again.
  mutating func takeWaiting(with link: Int, every step: Int64) -> [Int] {
    let feed = links[link].feed
    guard feeds[feed].progress &- feeds[feed].looked >= step else { return [] }
    feeds[feed].looked = feeds[feed].progress
    return takeWaiting(of: feed)
  }

  /// Returns all waiting links, or those of one trace, and removes them.
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

  /// Returns the next waiting link that has become silent, or `nil` if there is none. It keeps
  /// waiting.
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
