package import Registries
package import Support
package import TraceStore

/// The calibrated beacons, and what they are from.
package struct CalibrateResult {
  package var beacons: [CalibratedBeacon]
  /// Half the width that intervals are wished to have, dB.
  package var precision: Double
  /// Sightings left out, by reason.
  package var excluded: [String: Int]
  /// Files that were read.
  package var inputs: [Provenance.Input]
  /// The live source; nil = files.
  package var source: String?
  /// What a person has to know of the whole.
  package var warnings: [String] = []
  /// What people call the beacons.
  package var names: BeaconNames

  /// - Throws: `RSSIError` where it is not clear which beacons are meant, or one was not received.
  package init(
    _ beacons: BeaconsToCalibrate, in table: PoseTable, precision: Double,
    inputs: [Provenance.Input]
  ) throws {
    self.beacons = try beacons.names(in: table).map {
      CalibratedBeacon($0, in: table, precision: precision)
    }
    self.precision = precision
    self.inputs = inputs
    excluded = table.excluded
    names = beacons.names
  }

  /// - Throws: `RSSIError` with the reason where no beacon has a measured power.
  package func requirePower() throws(RSSIError) {
    guard !beacons.contains(where: { $0.power != nil }) else { return }
    guard let reason = beacons.flatMap(\.warnings).last else {
      throw RSSIError(.badInput, "no measured power: no beacon was heard")
    }
    throw RSSIError(
      .badInput, "no measured power: \(reason)",
      advice:
        "import a recording with its `distance`, and give it to `rssi fit` with `model` "
        + "fixed-exponent, which estimates the power from other distances")
  }
}
