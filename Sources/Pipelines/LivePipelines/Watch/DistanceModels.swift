import PathLoss
import Proximity
import Registries
import Sightings
import TracePipelines

/// The distance model of each link, from the best that is known of its beacon.
struct DistanceModels {
  private let calibration: Calibration?
  private let own: OwnFits?
  private let path: String
  /// What a user should know about the distances; each note is made once.
  private var notes: Set<String> = []
  private var pending: [String] = []

  init(_ calibration: (Calibration, path: String)?) {
    self.calibration = calibration?.0
    own = calibration.map { OwnFits($0.0) }
    path = calibration?.path ?? ""
  }

  /// The model of a link: its own fit; else the fit of all readings, with the beacon's own measured
  /// power where the registry has one; else what the beacon states, with wide intervals; else none.
  mutating func model(
    of beacon: Node, receiver: String, trace: String, registered: RegisteredBeacon?
  ) -> DistanceModel? {
    let fits = own
    let own = registered?.measuredPower
    if let calibration {
      if let group = fits?.group(beacon: beacon.id, receiver: receiver, trace: trace),
        group.key != calibration.pooled.key, let model = DistanceModel(group)
      {
        return model
      }
      if var model = DistanceModel(calibration.pooled) {
        if let own {
          model.line.power = own
        } else if calibration.groups.count > 1 {
          note(
            "\(path) has no fit for some beacons: their distances are those of the fit of all "
              + "readings"
          )
        }
        return model
      }
      note("the fit of all readings in \(path) gives no distances")
    }
    let stated = beacon.measuredPower.isFinite ? Double(beacon.measuredPower) : nil
    guard let power = own ?? stated, AdvertisedPower.plausible.contains(power) else { return nil }
    note(
      "without a calibration, distances take an exponent of 2.2 ± 0.5 and the power that beacons "
        + "state: the intervals are as wide as that is poor; rssi calibrate and rssi fit measure "
        + "both"
    )
    return DistanceModel(uncalibratedPower: power, powerError: own == nil ? 5 : 2)
  }

  /// The notes since the last call.
  mutating func takeNotes() -> [String] {
    defer { pending = [] }
    return pending
  }

  private mutating func note(_ text: String) {
    if notes.insert(text).inserted { pending.append(text) }
  }
}

extension DistanceModel {
  /// The model of a fit; nil where it gives no distances.
  fileprivate init?(_ group: PathLossGroup) {
    guard let line = group.line, line.exponent > 0 else { return nil }
    // What packets of a place share; where the fit could not separate it, all scatter may be that.
    self.init(line: line, shadowing: group.positionDeviation ?? line.sigma)
  }
}
