/// The schedule of a beacon: its frame, and every few seconds its telemetry for a moment.
///
/// A host hands a controller data and cannot see each packet, so advertisements are counted from
/// the time: one per interval and its random delay, of 5 ms in the mean.
///
/// Source: Eddystone Protocol Specification, which has TLM frames interleaved with UID or URL ones.
public struct FrameSchedule: Sendable {
  /// The frame of the beacon.
  public var frame: BeaconFrame
  /// The advertising interval, in nanoseconds.
  public var interval: Int64
  /// The beacon's state that is sent; nil sends none.
  public var telemetry: Telemetry?

  /// The host's knowledge of the beacon's state beyond its time.
  public struct Telemetry: Equatable, Sendable {
    /// Battery voltage, in mV; nil where it is not known.
    public var batteryVoltage: UInt16?
    /// Temperature, in 1/256 degree Celsius; nil where it is not known.
    public var temperature256: Int16?

    /// Creates telemetry; the voltage is in millivolts, the temperature in 1/256 °C.
    public init(batteryVoltage: UInt16? = nil, temperature256: Int16? = nil) {
      self.batteryVoltage = batteryVoltage
      self.temperature256 = temperature256
    }
  }

  /// Creates a schedule; the interval is in nanoseconds.
  public init(_ frame: BeaconFrame, interval: Int64, telemetry: Telemetry? = nil) {
    self.frame = frame
    self.interval = max(interval, 1)
    self.telemetry = telemetry
  }

  /// From one telemetry frame to the next, in nanoseconds: 5 s, or ten intervals where that is
  /// longer.
  public var period: Int64 { max(5_000_000_000, 10 * interval) }
  /// The time for which telemetry is sent, at the end of each period: two advertisements at least.
  var telemetryLength: Int64 { 2 * interval + 120_000_000 }

  /// The time of the first telemetry frame, in nanoseconds since the start.
  public var firstTelemetry: Int64 { period - telemetryLength }

  /// The frame at a time since the beacon started, in nanoseconds.
  public func frame(at uptime: Int64) -> BeaconFrame {
    guard let telemetry else { return frame }
    let start = uptime / period * period + period - telemetryLength
    guard uptime >= start else { return frame }
    return .eddystoneTLM(
      EddystoneTLM(
        batteryVoltage: telemetry.batteryVoltage, temperature256: telemetry.temperature256,
        advertisementCount: UInt32(truncatingIfNeeded: start / (interval + 5_000_000)),
        uptimeTenths: UInt32(truncatingIfNeeded: start / 100_000_000)))
  }
}
