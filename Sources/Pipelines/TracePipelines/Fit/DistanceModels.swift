package import PathLoss
package import Proximity
package import Registries
package import Sightings
package import Support

/// The distance model of each link, from the best knowledge about its beacon.
package struct DistanceModels {
  private var calibration: Calibration? { own?.calibration }
  private let own: OwnFits?
  private let path: String
  /// Notes for the user about the distances; each is made once.
  private var notes: Set<String> = []
  private var pending: [String] = []
  /// Kinds of beacons that advertise implausible powers.
  private var doubtedKinds: Set<String> = []

  package init(_ calibration: (Calibration, path: String)?) {
    own = calibration.map { OwnFits($0.0) }
    path = calibration?.path ?? ""
    for doubt in self.calibration?.powerDoubts() ?? [] { note("\(path): \(doubt)") }
  }

  /// Returns the model of a link: its own fit; else the fit of all readings, with the beacon's own
  /// measured power if the registry has one; else the advertised power, with wide intervals; else
  /// nil.
  package mutating func model(
    of beacon: Node, receiver: String, trace: String, registered: RegisteredBeacon?
  ) -> DistanceModel? {
    let fits = own
    let own = registered?.measuredPower
    let advertised = beacon.measuredPower.isFinite ? Double(beacon.measuredPower) : nil
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
    guard let power = own ?? advertised else { return nil }
    guard AdvertisedPower.doubt(power) == nil else {
      // Once per kind, because there may be many beacons.
      if doubtedKinds.insert(beacon.kind).inserted {
        note(
          "\(beacon.id) gets no distance: \(own == nil ? "it advertises" : "the registry has") "
            + "\(plain(power)) dBm at 1 m, and \(AdvertisedPower.possible): measure it with "
            + "`rssi calibrate`")
      }
      return nil
    }
    note(
      "without a calibration, distances use an exponent of 2.2 ± 0.5 and the advertised "
        + "power, so intervals are wide: measure both with `rssi calibrate` and `rssi fit`"
    )
    return DistanceModel(uncalibratedPower: power, powerError: own == nil ? 5 : 2)
  }

  /// The notes since the last call.
  package mutating func takeNotes() -> [String] {
    defer { pending = [] }
    return pending
  }

  /// Returns a Boolean value that is true if the calibration can convert levels to distances.
  package static func canUse(_ calibration: Calibration) -> Bool {
    !["two-slope", "walls"].contains(calibration.model)
  }

  /// - Throws: `RSSIError` for a calibration of a model that gives no distances.
  package static func requireDistances(
    of calibration: Calibration, _ path: String
  ) throws(RSSIError) {
    guard canUse(calibration) else {
      throw RSSIError(
        .badInput, "\(path) is of the model \(calibration.model), which gives no distances",
        advice: "fit log-distance or hierarchical")
    }
  }

  private mutating func note(_ text: String) {
    if notes.insert(text).inserted { pending.append(text) }
  }
}
