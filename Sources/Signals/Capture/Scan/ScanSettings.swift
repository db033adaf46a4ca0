/// How a controller is asked to scan.
public struct ScanSettings: Equatable, Sendable {
  /// A physical layer on which beacons advertise.
  public enum PHY: String, CaseIterable, Sendable {
    case le1M = "1m"
    case coded
  }

  /// Whether to ask advertisers for their scan response, which transmits; off by default, since it
  /// disturbs what is measured and doubles the rows.
  public var isActive = false
  /// Where to listen, in the order asked for; two are listened to in turn, so each hears less.
  public var phys: [PHY] = [.le1M]
  /// Seconds from one scan window to the next, 2.5 ms to 10.24 s.
  public var interval = 0.06
  /// Seconds of listening in each interval; as long as the interval, so that nothing is missed.
  public var window = 0.06
  /// Seconds without any event after which scanning is set up anew.
  public var silence = 10.0
  /// Whether to wait for an adapter that is gone to return, rather than to end.
  public var waitsForAdapter = false

  public init() {}
}
