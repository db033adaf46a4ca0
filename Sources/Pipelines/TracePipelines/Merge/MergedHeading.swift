import Sightings
import Support
import TraceStore

/// What several traces state of themselves and hold beside their rows, for the trace that they become.
struct MergedHeading {
  private let readers: [TraceReader]
  private let log: any ActivityLog

  init(_ readers: [TraceReader], log: any ActivityLog) { (self.readers, self.log) = (readers, log) }

  /// - Parameter step: what is done, added to the provenance of the parts.
  /// - Throws: `RSSIError` for two calibrations.
  func heading(adding step: Provenance, withoutCalibration: Bool) throws -> TraceHeading {
    var steps: [Provenance] = []
    // Parts of one trace have its history in common.
    for entry in readers.flatMap(\.provenance) where !steps.contains(entry) { steps.append(entry) }
    var heading = TraceHeading(provenance: steps + [step])
    heading.start = readers.map(\.start).min()
    heading.clock = distinct(
      readers.map { $0.session == nil ? $0.clockSource : "the session's" }
    ).joined(separator: "; ")
    heading.note = distinct(readers.map(\.note).filter { !$0.isEmpty }).joined(separator: "; ")
    heading.calibration = withoutCalibration ? nil : try calibration()
    heading.filters = try filters()
    noteLosses()
    return heading
  }

  private func distinct(_ texts: [String]) -> [String] {
    texts.indices.filter { !texts[..<$0].contains(texts[$0]) }.map { texts[$0] }
  }

  private func calibration() throws -> StoredCalibration? {
    var found: (calibration: StoredCalibration, path: String)?
    for reader in readers {
      guard let calibration = try reader.calibration() else { continue }
      guard let known = found else {
        found = (calibration, reader.path)
        continue
      }
      guard known.calibration.document == calibration.document else {
        throw RSSIError(
          .badInput,
          "\(known.path) and \(reader.path) hold different calibrations, and a trace holds one",
          advice: "leave them out with `withoutCalibration`; `rssi fit` can merge them")
      }
    }
    return found?.calibration
  }

  /// The filters that all parts have, with the same chain.
  private func filters() throws -> [StoredFilter] {
    var kept: [StoredFilter] = []
    for name in Set(readers.flatMap { $0.filterNames() }).sorted() {
      let isShared = readers.allSatisfy { $0.filterNames().contains(name) }
      guard isShared, Set(readers.map { $0.filterChain(name) }).count == 1 else {
        log.note(
          "the levels of the filter \(name) are left out: not all traces have them of the same chain"
        )
        continue
      }
      kept.append(try readers[0].filter(name))
    }
    return kept
  }

  private func noteLosses() {
    if readers.contains(where: { !$0.positionNames().isEmpty }) {
      log.note("positions are left out: `rssi locate` writes them again")
    }
    if readers.contains(where: { $0.session != nil }) {
      log.note("the parts and the clocks of the session are left out")
    }
  }
}
