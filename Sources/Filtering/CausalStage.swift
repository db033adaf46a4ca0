/// A stage of filters that answer at once, one for each link.
struct CausalStage<Filter: LevelFilter>: FilterStage {
  private let make: @Sendable (Noise) -> Filter
  private var filters: [Filter] = []
  private var noises: [Noise] = []
  /// Of filters that a gap has ended.
  private var likelihoods: [Double] = []

  init(_ make: @escaping @Sendable (Noise) -> Filter) { self.make = make }

  mutating func open(_ link: LinkPlace, noise: Noise) {
    filters.append(make(noise))
    noises.append(noise)
    likelihoods.append(0)
  }

  mutating func process(_ rows: inout LevelRows) {
    // Moved out of the block, so that the columns beside them can be read.
    var levelColumn: [Double] = []
    var varianceColumn: [Double] = []
    swap(&levelColumn, &rows.rssi)
    swap(&varianceColumn, &rows.variance)
    update(rows, &levelColumn, &varianceColumn)
    swap(&levelColumn, &rows.rssi)
    swap(&varianceColumn, &rows.variance)
  }

  private mutating func update(
    _ rows: borrowing LevelRows, _ levelColumn: inout [Double], _ varianceColumn: inout [Double]
  ) {
    let links = rows.link.span
    let times = rows.time.span
    let channels = rows.channel.span
    let starts = rows.starts.span
    var levels = levelColumn.mutableSpan
    var variances = varianceColumn.mutableSpan
    for index in 0..<links.count where !levels[index].isNaN {
      let link = Int(links[index])
      if starts[index] { restart(link) }
      let result = filters[link].update(
        time: times[index], rssi: levels[index], channel: channels[index])
      levels[index] = result.rssi
      variances[index] = result.variance
    }
  }

  private mutating func restart(_ link: Int) {
    let likelihood = filters[link].logLikelihood
    if !likelihood.isNaN { likelihoods[link] += likelihood }
    filters[link] = make(noises[link])
  }

  mutating func finish(_ rows: inout LevelRows, where isOver: (LinkPlace) -> Bool) {}

  func likelihood(ofLink link: Int) -> LinkLikelihood? {
    let likelihood = filters[link].logLikelihood
    guard !likelihood.isNaN else { return nil }
    return LinkLikelihood(noise: noises[link], logLikelihood: likelihoods[link] + likelihood)
  }
}
