/// A chain of filters over many links: sightings in, in any order of links; levels out.
///
/// Each link has its own filters. Late sightings are put into order within a window, a long gap
/// starts a link's filters anew, sightings without a level pass through without one. The levels do
/// not depend on how sightings fall into blocks: a stream of single sightings gives the same bits.
/// O(1) a sighting besides the filters; memory grows with the links and with what is held back.
public struct FilterChain: Sendable {
  private var reordering: ReorderWindow?
  private var stages: [any FilterStage]
  /// Nanoseconds; a longer time without a level ends a link's filters.
  private let resetAfter: Int64?
  private var links: [Link] = []
  public private(set) var counts = FilterCounts()

  private struct Link {
    let place: LinkPlace
    /// Newest sighting so far as they came, and as they were sorted.
    var newestArrival = Int64.min
    var newest = Int64.min
    var hasLevel = false
    var samples: UInt64 = 0
  }

  /// - Parameters:
  ///   - specifications: the filters; each takes what the one before it says.
  ///   - reorder: how late a sighting may be to be put into its place, nanoseconds; 0 = not at all.
  ///   - resetAfter: the time without a level that starts a link anew, nanoseconds; nil = never.
  public init(_ specifications: [FilterSpecification], reorder: Int64 = 0, resetAfter: Int64? = nil)
  {
    stages = specifications.map { $0.kind.makeStage($0.parameters) }
    reordering = reorder > 0 ? ReorderWindow(window: reorder) : nil
    self.resetAfter = resetAfter
  }

  /// Makes room for a link and returns its number, counted from 0.
  ///
  /// - Parameter noise: for each filter, the noise it uses where none is written; filters that need
  ///   none ignore theirs.
  public mutating func addLink(_ place: LinkPlace, noise: [Noise]) -> Int {
    links.append(Link(place: place))
    reordering?.open(place)
    for index in stages.indices { stages[index].open(place, noise: noise[index]) }
    return links.count - 1
  }

  /// Replaces the sightings of a block by those whose levels are final now, in order of time on
  /// each link; the others come with later blocks or at the end.
  public mutating func process(_ rows: inout LevelRows) {
    noteArrivals(rows)
    reordering?.process(&rows)
    noteStarts(&rows)
    for index in stages.indices { stages[index].process(&rows) }
  }

  /// Fills the block with what is still held back: of one trace that is over, or of all.
  public mutating func finish(_ rows: inout LevelRows, trace: Int? = nil) {
    rows.removeAll()
    let isOver = { (place: LinkPlace) -> Bool in trace.map { place.trace == $0 } ?? true }
    reordering?.finish(&rows, where: isOver)
    noteStarts(&rows)
    for index in stages.indices {
      stages[index].process(&rows)
      stages[index].finish(&rows, where: isOver)
    }
  }

  /// Fills the block with what is held back only for the sake of late sightings: none will come.
  public mutating func drain(_ rows: inout LevelRows) {
    rows.removeAll()
    reordering?.finish(&rows) { _ in true }
    noteStarts(&rows)
    for index in stages.indices { stages[index].process(&rows) }
  }

  /// Levels taken of a link.
  public func samples(ofLink link: Int) -> UInt64 { links[link].samples }

  /// What the last filter with a model of the levels used for a link.
  public func likelihood(ofLink link: Int) -> LinkLikelihood? {
    for stage in stages.reversed() {
      if let likelihood = stage.likelihood(ofLink: link) { return likelihood }
    }
    return nil
  }

  private mutating func noteArrivals(_ rows: borrowing LevelRows) {
    for index in 0..<rows.count {
      let link = Int(rows.link[index])
      let time = rows.time[index]
      if time < links[link].newestArrival {
        counts.outOfOrder += 1
      } else {
        links[link].newestArrival = time
      }
    }
  }

  /// Says where filters start, and takes what is later than the window as new.
  private mutating func noteStarts(_ rows: inout LevelRows) {
    for index in 0..<rows.count {
      let link = Int(rows.link[index])
      let time = rows.time[index]
      if time < links[link].newest {
        counts.late += 1
        rows.time[index] = links[link].newest
      }
      guard !rows.rssi[index].isNaN else {
        counts.missing += 1
        continue
      }
      links[link].samples += 1
      if !links[link].hasLevel {
        links[link].hasLevel = true
      } else if let resetAfter, time > links[link].newest,
        UInt64(bitPattern: time &- links[link].newest) > UInt64(resetAfter)
      {
        rows.starts[index] = true
        counts.restarts += 1
      }
      links[link].newest = max(links[link].newest, time)
    }
  }
}

/// What a chain met.
public struct FilterCounts: Equatable, Sendable {
  /// Sightings without a level, which no filter sees.
  public var missing = 0
  /// Sightings that came after a younger one of their link.
  public var outOfOrder = 0
  /// Those of them that came too late to be put into order: they count as simultaneous with the
  /// newest one.
  public var late = 0
  /// Gaps that started a link anew.
  public var restarts = 0

  public init(missing: Int = 0, outOfOrder: Int = 0, late: Int = 0, restarts: Int = 0) {
    self.missing = missing
    self.outOfOrder = outOfOrder
    self.late = late
    self.restarts = restarts
  }
}
