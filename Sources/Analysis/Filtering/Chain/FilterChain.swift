import Support

/// A chain of filters over many links: sightings in, in any order of links; levels out.
///
/// Each link has its own filters. Late sightings are reordered within a window, a long gap or a
/// backward step of a clock restarts a link's filters, and sightings without a level pass
/// unchanged. The levels do not depend on the division into blocks: a stream of single sightings
/// gives the same bits. O(1) per sighting besides the filters; memory grows with the links and the
/// delayed sightings.
///
/// ```swift
/// let chain = FilterChain([try FilterSpecification("hampel"), try FilterSpecification("kalman")])
/// print(chain.counts.missing)
/// ```
public struct FilterChain: Sendable {
  private var reordering: ReorderWindow?
  private var stages: [any ChainStage]
  private var history: LinkHistory
  private var learned: LearnedNoise?
  private let noticesChanges: Bool
  /// The counts of irregular sightings and of restarts so far.
  public private(set) var counts = FilterCounts()

  /// Creates a chain of filters without links.
  ///
  /// - Parameters:
  ///   - specifications: the filters; each takes the levels of the one before it.
  ///   - reorder: the longest delay with which a sighting is still put into its place.
  ///   - resetAfter: the time without a level after which a link starts again; nil = never.
  ///   - isOrdered: whether it is known that the sightings of each link come in order of time.
  ///   - learns: whether noise that is not written is learned on the way, as a stream needs, which
  ///     cannot be read twice. `kalman` without noise is `multiple-model` then.
  public init(
    _ specifications: [FilterSpecification], reorder: Duration = .zero,
    resetAfter: Duration? = nil, isOrdered: Bool = false, learns: Bool = false
  ) {
    let reorder = reorder.nanoseconds
    let specifications = learns ? specifications.map(\.learning) : specifications
    let learned = LearnedNoise(specifications)
    self.learned = learns && learned.isNeeded ? learned : nil
    // Sightings late by a minute do not occur unless requested, so then a clock was set back.
    let jump = max(reorder, 60_000_000_000)
    stages = []
    // Delays let links get out of step: sightings are late by up to the window, wait as long, and
    // are checked as often.
    var slack = 3 * min(reorder, .max / 3)
    for specification in specifications {
      let timing = ChainTiming(jump: jump, slack: slack)
      let stage = specification.kind.makeStage(specification.parameters, timing)
      let delay = min(stage.delay ?? .max, .max / 2)
      slack = slack > .max - 2 * delay ? .max : slack + 2 * delay
      stages.append(stage)
    }
    reordering = reorder > 0 && !isOrdered ? ReorderWindow(window: reorder, jump: jump) : nil
    noticesChanges = stages.contains { $0.noticesChanges }
    history = LinkHistory(resetAfter: resetAfter?.nanoseconds, jump: jump)
  }

  /// Adds a link and returns its number, counted from 0.
  ///
  /// - Parameter noise: The noise of each filter if none is given; filters without noise ignore it.
  ///   `nil` for a chain that learns, which starts with the noise of a person walking.
  package mutating func addLink(_ place: LinkPlace, noise: [Noise]? = nil) -> Int {
    let noise = noise ?? learned?.assumed ?? stages.map { _ in .walking }
    learned?.open()
    history.open()
    reordering?.open(place)
    for index in stages.indices { stages[index].open(place, noise: noise[index]) }
    return history.count - 1
  }

  /// Keeps only the given links, which are renumbered by their positions in the list; the others
  /// must have no delayed sightings.
  package mutating func keep(_ links: [Int]) {
    learned?.keep(links)
    history.keep(links)
    reordering?.keep(links)
    for index in stages.indices { stages[index].keep(links) }
  }

  /// Replaces the sightings of a block by those with final levels, in order of time per link; the
  /// others follow with later blocks or at the end.
  public mutating func process(_ rows: inout LevelRows) {
    var news: [(link: Int, noise: [Noise])] = []
    if learned != nil {
      for index in 0..<rows.count {
        let link = Int(rows.link[index])
        if let noise = learned?.take(rows.time[index], Float(rows.rssi[index]), ofLink: link) {
          news.append((link, noise))
        }
      }
    }
    defer { for (link, noise) in news { adopt(noise, forLink: link) } }
    if reordering != nil {
      counts.outOfOrder += history.noteArrivals(rows)
      reordering?.process(&rows)
    }
    noteStarts(&rows)
    for index in stages.indices { stages[index].process(&rows) }
  }

  /// Fills the block with the delayed sightings of one trace that has ended, or of all.
  public mutating func finish(_ rows: inout LevelRows, trace: Int? = nil) {
    rows.removeAll()
    reordering?.finish(&rows, trace: trace)
    noteStarts(&rows)
    for index in stages.indices {
      stages[index].process(&rows)
      stages[index].finish(&rows, trace: trace)
    }
  }

  /// Fills the block with sightings that wait only for late ones, of which none will come.
  public mutating func drain(_ rows: inout LevelRows) {
    rows.removeAll()
    reordering?.finish(&rows, trace: nil)
    noteStarts(&rows)
    for index in stages.indices { stages[index].process(&rows) }
  }

  /// Continues with other noise for a link if none is given.
  ///
  /// - Parameter noise: The noise of each filter, as for `addLink`.
  public mutating func adopt(_ noise: [Noise], forLink link: Int) {
    for index in stages.indices { stages[index].adopt(noise[index], forLink: link) }
  }

  /// Returns the latest change of the level of a link at rest, or `nil` if no filter has detected
  /// one.
  public func change(ofLink link: Int) -> LevelChange? {
    guard noticesChanges else { return nil }
    for stage in stages.reversed() {
      if let change = stage.change(ofLink: link) { return change }
    }
    return nil
  }

  /// Returns the number of processed levels of a link.
  public func samples(ofLink link: Int) -> UInt64 { history.samples(ofLink: link) }

  /// Returns the noise and the likelihood of a link in the last filter with a model of the levels.
  public func likelihood(ofLink link: Int) -> LinkLikelihood? {
    for stage in stages.reversed() {
      if let likelihood = stage.likelihood(ofLink: link) { return likelihood }
    }
    return nil
  }

  /// Marks where filters restart, and treats sightings later than the window as new.
  private mutating func noteStarts(_ rows: inout LevelRows) {
    // Moved out, so that the other columns can be read.
    var times: [Int64] = []
    var starts: [Bool] = []
    swap(&times, &rows.time)
    swap(&starts, &rows.starts)
    var found = history.note(rows, &times, &starts)
    if reordering == nil { found.outOfOrder = found.late }
    counts.add(found)
    swap(&times, &rows.time)
    swap(&starts, &rows.starts)
  }
}
