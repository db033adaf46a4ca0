package import Evaluation
import Filtering
import Sightings
package import TraceStore

/// The levels of a trace in memory, with what is known of the truth, for comparing filters.
package struct ComparedTrace {
  /// What filters are compared with.
  package enum Truth: String {
    /// The true levels that the trace holds.
    case levels
    /// The mean of the levels of each link at each place where its moving node stood.
    case dwells
    /// Sightings that filters do not see.
    case heldBack = "held-back"
  }

  /// Sightings looked at; more would cost memory and hardly change the figures.
  package static let limit = 5_000_000

  package private(set) var table = TrialLevels()
  /// By number of the link in the table.
  package private(set) var keys: [LinkKey] = []
  package private(set) var truth = Truth.heldBack
  /// Row by row, NaN where it is not known; nil = sightings are held back.
  package private(set) var levels: [Double]?
  /// Whether the trace has more sightings than were taken.
  package private(set) var isCut = false

  /// Compares with sightings held back, where stays hold too little.
  package mutating func holdBack() { (truth, levels) = (.heldBack, nil) }

  package init(_ reader: TraceReader) throws {
    var index = LinkIndex(reader.catalogue)
    var stays = StayMeans(reader.catalogue)
    let known = LevelPaths(reader.catalogue)
    var values: [Double] = []
    try reader.forEachBlock([.time, .link, .rssi, .channel, .dwell]) { rows in
      for row in 0..<rows.count {
        guard table.count < Self.limit else {
          isCut = true
          return
        }
        let (link, isNew) = index.number(rows, row)
        if isNew {
          let place = LinkPlace(trace: Int(rows.trace[row]), receiver: Int(rows.receiver[row]))
          _ = table.addLink(place)
          keys.append(LinkKey(beacon: rows.beacon[row], receiver: rows.receiver[row]))
        }
        table.append(
          link: link, time: rows.time[row], rssi: Double(rows.rssi[row]),
          channel: rows.channel[row])
        if known.isEmpty {
          stays.take(rows, row, link)
        } else {
          values.append(known.level(keys[link], rows.trace[row], at: rows.time[row]))
        }
      }
    }
    if !known.isEmpty {
      (truth, levels) = (.levels, values)
    } else if !stays.isEmpty {
      (truth, levels) = (.dwells, stays.means())
    }
  }
}
