/// Where the reports of the two subevents keep their lengths.
enum ReportLayout {
  case legacy, extended

  /// The bytes of a report without its data.
  var fixedLength: Int { self == .legacy ? 10 : 24 }
  /// The offset of the length of the data.
  var lengthOffset: Int { self == .legacy ? 8 : 23 }
}
