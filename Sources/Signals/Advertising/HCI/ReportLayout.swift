/// The places at which the reports of the three subevents keep their lengths.
enum ReportLayout {
  case legacy, extended, directed

  /// The layout of a subevent's reports; nil where it carries none.
  init?(subevent: UInt8) {
    switch subevent {
    case 0x02: self = .legacy
    case 0x0B: self = .directed
    case 0x0D: self = .extended
    default: return nil
    }
  }

  /// The bytes of a report without its data.
  var fixedLength: Int {
    switch self {
    case .legacy: 10
    case .extended: 24
    case .directed: 16
    }
  }

  /// The offset of the length of the data; nil where there are none.
  private var lengthOffset: Int? {
    switch self {
    case .legacy: 8
    case .extended: 23
    case .directed: nil
    }
  }

  /// The length of the data of the report at an offset; nil where the event ends before it states
  /// it.
  func dataLength(in event: Span<UInt8>, at offset: Int) -> Int? {
    guard let lengthOffset else { return 0 }
    return offset + lengthOffset < event.count ? Int(event[offset + lengthOffset]) : nil
  }
}

extension Span where Element == UInt8 {
  /// A Boolean value that is true if an HCI event, from its event code on, announces advertising
  /// reports.
  package var announcesReports: Bool {
    count > 2 && self[0] == 0x3E && ReportLayout(subevent: self[2]) != nil
  }
}
