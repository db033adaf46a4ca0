/// The schedule of a beacon: its frame, interrupted every few seconds by its telemetry.
///
/// A host passes data to a controller and does not see each packet, so advertisements are counted
/// by time: one per interval and its mean random delay of 5 ms.
///
/// Source: Eddystone Protocol Specification, which has TLM frames interleaved with UID or URL ones.
public struct FrameSchedule: Sendable {
  /// The frame of the beacon.
  public var frame: BeaconFrame
  /// The advertising interval, in nanoseconds.
  public var interval: Int64
  /// The beacon's telemetry; `nil` sends none.
  public var telemetry: Telemetry?

  /// The telemetry that the host knows besides the time.
  public struct Telemetry: Equatable, Sendable {
    /// The battery voltage, in mV; `nil` if it is unknown.
    public var batteryVoltage: UInt16?
    /// The temperature, in 1/256 degree Celsius; `nil` if it is unknown.
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

  /// The time between two telemetry frames, in nanoseconds: 5 s, or ten intervals if that is
  /// longer.
  public var period: Int64 { max(5_000_000_000, 10 * interval) }
  /// The duration of telemetry at the end of each period: at least two advertisements.
  var telemetryLength: Int64 { 2 * interval + 120_000_000 }

  /// The time of the first telemetry frame, in nanoseconds since the start.
  public var firstTelemetry: Int64 { period - telemetryLength }

  /// Returns the frame at a time since the beacon started, in nanoseconds.
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
