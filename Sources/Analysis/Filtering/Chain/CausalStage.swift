/// A stage of causal filters, one per link.
struct CausalStage<Filter: LevelFilter>: ChainStage {
  /// Returns the given noise, or else the estimated one.
  private let resolve: @Sendable (Noise) -> Noise
  private let make: @Sendable (Noise) -> Filter
  private var filters: [Filter] = []
  private var noises: [Noise] = []
  /// The log-likelihoods of filters that ended at a gap.
  private var likelihoods: [Double] = []
  private var changes: [LevelChange?] = []

  init(
    noise resolve: @escaping @Sendable (Noise) -> Noise,
    _ make: @escaping @Sendable (Noise) -> Filter
  ) {
    self.resolve = resolve
    self.make = make
  }

  var delay: Int64? { 0 }

  mutating func open(_ link: LinkPlace, noise: Noise) {
    noises.append(resolve(noise))
    filters.append(make(resolve(noise)))
    likelihoods.append(0)
    changes.append(nil)
  }

  mutating func process(_ rows: inout LevelRows) {
    // Moved out of the block, so that its other columns can be read.
    var levelColumn: [Double] = []
    var varianceColumn: [Double] = []
    swap(&levelColumn, &rows.rssi)
    swap(&varianceColumn, &rows.variance)
    // Moved out of self, so that the closure can use the rest of the stage.
    var filters: [Filter] = []
    swap(&filters, &self.filters)
    Filter.update(&filters, rows, &levelColumn, &varianceColumn) { filter, link in
      end(filter, link)
      filter = make(noises[link])
    }
    swap(&filters, &self.filters)
    swap(&levelColumn, &rows.rssi)
    swap(&varianceColumn, &rows.variance)
  }

  private mutating func end(_ filter: Filter, _ link: Int) {
    let likelihood = filter.logLikelihood
    if !likelihood.isNaN { likelihoods[link] += likelihood }
    changes[link] = change(ofLink: link, filter)
  }

  mutating func adopt(_ noise: Noise, forLink link: Int) {
    noises[link] = resolve(noise)
    filters[link].adopt(noises[link])
  }

  mutating func keep(_ links: [Int]) {
    filters.keep(links)
    noises.keep(links)
    likelihoods.keep(links)
    changes.keep(links)
  }

  mutating func finish(_ rows: inout LevelRows, trace: Int?) {}

  var noticesChanges: Bool { Filter.noticesChanges }

  func change(ofLink link: Int) -> LevelChange? { change(ofLink: link, filters[link]) }

  private func change(ofLink link: Int, _ filter: Filter) -> LevelChange? {
    guard var change = filter.change else { return changes[link] }
    change.number += changes[link]?.number ?? 0
    return change
  }

  func likelihood(ofLink link: Int) -> LinkLikelihood? {
    let likelihood = filters[link].logLikelihood
    guard !likelihood.isNaN else { return nil }
    return LinkLikelihood(noise: noises[link], logLikelihood: likelihoods[link] + likelihood)
  }
}
