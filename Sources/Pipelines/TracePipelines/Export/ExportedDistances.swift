import NumericalMethods
import PathLoss
import Proximity
import Recordings
import Registries
import Sightings
import Support

/// The distances of exported levels, by the constants of their links.
struct ExportedDistances {
  private var models: DistanceModels
  private let registry: Registry
  /// The models of the links of one file; nil for a link that has none.
  private var links: [Link: DistanceModel?] = [:]

  init(_ calibration: (Calibration, path: String), _ registry: Registry) {
    models = DistanceModels(calibration)
    self.registry = registry
  }

  /// Forgets the links, whose numbers are those of one file.
  mutating func endFile() { links.removeAll() }

  /// Finds the models of the links of some rows.
  ///
  /// - Parameter log: where notes about them go, each once.
  mutating func open(
    _ rows: SightingColumns, _ chosen: [Int], _ catalogue: Catalogue, _ log: any ActivityLog
  ) {
    var last: Link?
    for row in chosen {
      let link = rows.link(row)
      guard link != last else { continue }
      last = link
      guard links[link] == nil else { continue }
      let beacon = catalogue.beacons[Int(rows.beacon[row])]
      links[link] = .some(
        models.model(
          of: beacon, receiver: catalogue.receivers[Int(rows.receiver[row])].id,
          trace: catalogue.traces[Int(rows.trace[row])], registered: registry[id: beacon.id]))
      for note in models.takeNotes() { log.warn(note) }
    }
  }

  /// The distance of a row's level; empty where its link or its level has none.
  func estimate(_ rows: SightingColumns, _ row: Int) -> EstimatedDistance {
    let level = Double(rows.rssi[row])
    guard !level.isNaN, case let model?? = links[rows.link(row)],
      let found = model.distance(
        atLevel: level, variance: rows.variance.isEmpty ? .nan : Double(rows.variance[row]))
    else { return EstimatedDistance() }
    return EstimatedDistance(
      distance: found.distance, lower: found.interval?.lower, upper: found.interval?.upper)
  }
}
