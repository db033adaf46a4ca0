/// A stage of smoothers, one per link, that delays sightings until their levels are final.
struct SmoothingStage<Smoother: LevelSmoother>: ChainStage {
  /// Returns the given noise, or else the estimated one.
  private let resolve: @Sendable (Noise) -> Noise
  private let make: @Sendable (Noise) -> Smoother
  private var links: [Link] = []
  private var clocks: LinkClocks
  private let slack: Int64
  let delay: Int64?
  private var ready: [FilteredLevel] = []
  private var output = LevelRows()

  private struct Link {
    var smoother: Smoother
    let place: LinkPlace
    var noise: Noise
    var likelihood = 0.0
    /// The delayed sightings in order; valid from `first`.
    var held: [Held] = []
    var first = 0
  }

  private struct Held {
    let row: Int
    let time: Int64
    let channel: UInt8
    let hasLevel: Bool
    let starts: Bool
  }

  init(
    _ timing: ChainTiming, noise resolve: @escaping @Sendable (Noise) -> Noise,
    _ make: @escaping @Sendable (Noise) -> Smoother
  ) {
    clocks = LinkClocks(jump: timing.jump)
    slack = timing.slack
    delay = make(.walking).delay
    self.resolve = resolve
    self.make = make
  }

  mutating func open(_ link: LinkPlace, noise: Noise) {
    let noise = resolve(noise)
    links.append(Link(smoother: make(noise), place: link, noise: noise))
    clocks.open(link)
  }

  mutating func process(_ rows: inout LevelRows) {
    output.removeAll()
    for index in 0..<rows.count {
      let link = Int(rows.link[index])
      let time = rows.time[index]
      if rows.starts[index] { restart(link) }
      clocks.hear(link, at: time)
      links[link].held.append(
        Held(
          row: rows.row[index], time: time, channel: rows.channel[index],
          hasLevel: !rows.rssi[index].isNaN, starts: rows.starts[index]))
      if !rows.rssi[index].isNaN {
        links[link].smoother.update(
          time: time, rssi: rows.rssi[index], channel: rows.channel[index], into: &ready)
      }
      release(link)
      if !links[link].held.isEmpty { clocks.wait(link) }
      if let delay { advanceOthers(than: link, delay) }
    }
    swap(&rows, &output)
  }

  /// Advances the time of links that were not received.
  private mutating func advanceOthers(than link: Int, _ delay: Int64) {
    for other in clocks.takeWaiting(with: link, every: max(delay / 4, 1)) {
      let (time, overflow) = clocks.time(of: other).subtractingReportingOverflow(slack)
      if !overflow { advance(other, to: time) }
      if !links[other].held.isEmpty { clocks.wait(other) }
    }
    while let other = clocks.nextSilent() {
      // The smoother keeps its state, because the link may be received again.
      advance(other, to: .max)
    }
  }

  private mutating func advance(_ link: Int, to time: Int64) {
    links[link].smoother.advance(to: time, into: &ready)
    release(link)
  }

  mutating func adopt(_ noise: Noise, forLink link: Int) { links[link].noise = resolve(noise) }

  mutating func keep(_ links: [Int]) {
    self.links.keep(links)
    clocks.keep(links)
  }

  mutating func finish(_ rows: inout LevelRows, trace: Int?) {
    output.removeAll()
    for link in clocks.takeWaiting(trace: trace) {
      end(link)
      links[link].held = []
    }
    rows.append(contentsOf: output)
  }

  /// Restarts the smoother of a link after a gap.
  private mutating func restart(_ link: Int) {
    end(link)
    links[link].smoother = make(links[link].noise)
  }

  private mutating func end(_ link: Int) {
    links[link].smoother.finish(into: &ready)
    release(link)
    let likelihood = links[link].smoother.logLikelihood
    if !likelihood.isNaN { links[link].likelihood += likelihood }
    links[link].smoother = make(links[link].noise)
  }

  /// Releases the sightings whose levels are in `ready`, with those without a level before and
  /// after them.
  private mutating func release(_ link: Int) {
    var next = 0
    while links[link].first < links[link].held.count {
      let held = links[link].held[links[link].first]
      var level = FilteredLevel(rssi: .nan, variance: .nan)
      if held.hasLevel {
        guard next < ready.count else { break }
        level = ready[next]
        next += 1
      }
      output.append(row: held.row, link: link, time: held.time, level, held.channel, held.starts)
      links[link].first += 1
    }
    ready.removeAll(keepingCapacity: true)
    if links[link].first == links[link].held.count {
      links[link].held.removeAll(keepingCapacity: true)
      links[link].first = 0
    } else if links[link].first > 64, links[link].first * 2 > links[link].held.count {
      links[link].held.removeFirst(links[link].first)
      links[link].first = 0
    }
  }

  func likelihood(ofLink link: Int) -> LinkLikelihood? {
    let likelihood = links[link].smoother.logLikelihood
    guard !likelihood.isNaN else { return nil }
    return LinkLikelihood(
      noise: links[link].noise, logLikelihood: links[link].likelihood + likelihood)
  }
}
