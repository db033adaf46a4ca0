public import Recordings
public import Registries
public import Support
public import TraceStore

/// A calibration of beacons, from recordings or on a bench that is guided live.
public struct CalibrateRequest: Sendable {
  /// Traces, recordings, tables or `-`; none on a live bench.
  public var inputs: [String] = []
  /// The columns of tables of other programs.
  public var columns = ColumnMap()
  /// Beacons: identities, parts of them, addresses, or names in a table or the registry; none = the
  /// only one that is received.
  public var beacon: [String] = []
  /// A Boolean value that is true if each beacon that is received is calibrated.
  public var allBeacons = false
  /// The only receiver to use; nil = all.
  public var receiver: String?
  /// The only series of the recordings to use; empty = all.
  public var series: [String] = []
  /// The target half-width of the 95 % interval, in dB.
  public var precision = 1.0
  /// Names of poses: one for each file without stays, or those of a live bench.
  public var pose: [String] = []
  /// The distances in metres: of files without stays, one for all or one for each; or of the poses
  /// of a live bench.
  public var distance: [Double] = []
  /// The length of the poses that a recording of several is cut into; nil = it is not cut.
  public var split: Duration?
  /// The names of beacons.
  public var registry = Registry()

  /// Creates a request without inputs.
  public init() {}

  /// Refuses values that are out of range, whatever the inputs hold.
  public func check() throws(RSSIError) {
    guard precision > 0, precision.isFinite else {
      throw RSSIError(
        .usage, "`precision` \(precision): expected a half-width above 0 dB, such as 1")
    }
    if let split, split.nanoseconds < PoseCut.shortest {
      throw RSSIError(
        .usage, "`split` \(written(duration: split)) is too short for a pose: write 5s or more")
    }
    // Room for a remark behind the name in the trace's 64 bytes.
    for name in pose
    where name.isEmpty || name.utf8.count > 48 || name.utf8.contains(where: { $0 < 0x20 }) {
      throw RSSIError(
        .usage,
        "`pose` \"\(name)\" is not a name: write 1 to 48 bytes without control characters")
    }
    guard Set(pose).count == pose.count else {
      throw RSSIError(.usage, "`pose` names a pose twice: give each a name of its own")
    }
  }

  /// Returns the choice of beacons.
  public func beacons() throws(RSSIError) -> BeaconsToCalibrate {
    var choices: [BeaconChoice] = []
    for text in beacon { choices.append(try BeaconChoice(text, in: registry)) }
    return BeaconsToCalibrate(
      choices: choices, isAll: allBeacons, names: BeaconNames(registry))
  }

  /// Returns an empty table of poses for the chosen beacons and all others.
  package func table(of beacons: BeaconsToCalibrate) -> PoseMeasurements {
    PoseMeasurements(
      choices: beacons.choices, receiver: receiver, series: Set(series), split: split?.nanoseconds)
  }
}

/// The calibrated beacons and their sources.
public struct CalibrateResult: Sendable {
  /// The calibrated beacons.
  public var beacons: [CalibratedBeacon]
  /// The target half-width of intervals, in dB.
  public var precision: Double
  /// The numbers of sightings left out, by reason.
  public var excluded: [String: Int]
  /// The files that were read.
  public var inputs: [Provenance.Input]
  /// The live source; nil = files.
  public var source: String?
  /// The warnings about the calibration as a whole.
  public var warnings: [String] = []
  /// The names that users give to the beacons.
  public var names: BeaconNames

  /// - Throws: `RSSIError` if several beacons match a choice, or none does.
  package init(
    _ beacons: BeaconsToCalibrate, in table: PoseMeasurements, precision: Double,
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

  /// Refuses a calibration without a measured power.
  ///
  /// - Throws: `RSSIError` with the reason if no beacon has a measured power.
  public func requirePower() throws(RSSIError) {
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
