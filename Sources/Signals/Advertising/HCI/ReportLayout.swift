/// The layouts of the reports of the three subevents.
enum ReportLayout {
  case legacy, extended, directed

  /// Creates the layout of a subevent's reports, or returns `nil` if it has none.
  init?(subevent: UInt8) {
    switch subevent {
    case 0x02: self = .legacy
    case 0x0B: self = .directed
    case 0x0D: self = .extended
    default: return nil
    }
  }

  /// The length of a report without its data, in bytes.
  var fixedLength: Int {
    switch self {
    case .legacy: 10
    case .extended: 24
    case .directed: 16
    }
  }

  /// The offset of the length of the data; `nil` if there are none.
  private var lengthOffset: Int? {
    switch self {
    case .legacy: 8
    case .extended: 23
    case .directed: nil
    }
  }

  /// Returns the length of the data of the report at an offset, or `nil` if the event ends before
  /// that length.
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
