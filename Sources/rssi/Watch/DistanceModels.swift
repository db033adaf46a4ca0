import PathLoss
import Proximity
import Registries
import Sightings
import Support
import TracePipelines

/// What levels say of distances, from the best that is known of each beacon.
struct DistanceModels {
  private let calibration: Calibration?
  private let path: String
  /// What a person should know of where distances come from; each is told once.
  private(set) var notes: [String] = []

  /// - Throws: `RSSIError` for a calibration whose curve means no single distance.
  init(calibration path: String?) throws {
    self.path = path ?? ""
    calibration = try path.map { try Calibration(path: $0) }
    if let calibration, ["two-slope", "walls"].contains(calibration.model) {
      throw RSSIError(
        .badInput,
        "\(self.path) is of the model \(calibration.model), whose curve watch does not know: fit "
          + "log-distance or hierarchical"
      )
    }
  }

  /// The model of a link: its own fit; else the fit of all readings, with the beacon's own measured
  /// power where the registry has one; else what the beacon states, with wide intervals; else none.
  mutating func model(
    of beacon: Node, receiver: String, trace: String, registered: RegisteredBeacon?
  ) -> DistanceModel? {
    let own = registered?.measuredPower
    if let calibration {
      if let group = calibration.ownGroup(beacon: beacon.id, receiver: receiver, trace: trace),
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

  mutating func takeNotes() -> [String] {
    defer { pending = [] }
    return pending
  }

  private var pending: [String] = []

  private mutating func note(_ text: String) {
    guard !notes.contains(text) else { return }
    notes.append(text)
    pending.append(text)
  }
}

extension DistanceModel {
  /// The model of a fit; nil where it gives no distances.
  fileprivate init?(_ group: PathLossGroup) {
    guard let line = group.line, line.exponent > 0 else { return nil }
    // What packets of a place share; where the fit could not tell, all its scatter may be that.
    self.init(line: line, shadowing: group.positionDeviation ?? line.sigma)
  }
}
