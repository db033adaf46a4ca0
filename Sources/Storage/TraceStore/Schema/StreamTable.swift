internal import CHDF5
internal import Sightings
import Support

extension Schema<StreamPosition> {
  /// The schema of `/stream`: the messages of a broker's stream that the sightings are from.
  ///
  /// A row is added whenever rows are flushed and is committed with them; so after a kill the last
  /// row is correct, and the next capture continues with the message after it.
  static var stream: Schema {
    Schema(
      StreamIdentity.group, empty: StreamPosition(sequence: 0, time: 0),
      [
        .number(\.sequence, "sequence", "All messages up to this number are in the file"),
        .time(\.time, "time_s", "When the broker received that message"),
      ])
  }
}

extension StreamIdentity {
  fileprivate static let group = "stream"

  /// Returns a Boolean value that is true if a file has a stream.
  static func isThere(in file: TraceFile) -> Bool {
    H5Lexists(file.handle.id, group, hid_t(H5P_DEFAULT)) > 0
  }

  /// Reads the stream of a file, or returns `nil` if it has none.
  init?(in file: TraceFile) throws(RSSIError) {
    guard Self.isThere(in: file) else { return nil }
    let group = Handle(
      try checkRead(
        H5Gopen2(file.handle.id, Self.group, hid_t(H5P_DEFAULT)), "open stream of", file.path),
      close: H5Gclose)
    guard let broker = group.textAttribute("broker"), let name = group.textAttribute("name"),
      let partition = group.textAttribute("partition"),
      let created = group.textAttribute("created").flatMap({ Timestamp.parse(iso8601: $0) })
    else {
      throw RSSIError(
        .badInput, "/stream of \(file.path) has no stream identifier: it is damaged")
    }
    self.init(broker: broker, name: name, partition: partition, created: created)
  }

  /// Writes the attributes into a new file that has the table.
  func write(to table: Table, path: String) throws(RSSIError) {
    try table.group.setAttribute("broker", broker, in: path)
    try table.group.setAttribute("name", name, in: path)
    try table.group.setAttribute("partition", partition, in: path)
    try table.group.setAttribute("created", Timestamp.iso8601(created), in: path)
  }
}
