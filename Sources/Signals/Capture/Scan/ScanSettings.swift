/// How a controller is asked to scan.
package struct ScanSettings: Equatable, Sendable {
  /// A physical layer on which beacons advertise.
  package enum PHY: String, CaseIterable, Sendable {
    case le1M = "1m"
    case coded
  }

  /// Whether to ask advertisers for their scan response, which transmits; off by default, since it
  /// disturbs what is measured and doubles the rows.
  package var isActive = false
  /// Where to listen, in the order asked for; two are listened to in turn, so each hears less.
  package var phys: [PHY] = [.le1M]
  /// Seconds from one scan window to the next, 2.5 ms to 10.24 s.
  package var interval = 0.06
  /// Seconds of listening in each interval; as long as the interval, so that nothing is missed.
  package var window = 0.06
  /// Seconds without any event after which scanning is set up again.
  package var silence = 10.0
  /// Whether to wait for an adapter that is gone to return, rather than to end.
  package var waitsForAdapter = false

  package init() {}
}
