internal import CHDF5
internal import Sightings
import Support

/// Which session a trace is of: the attributes of `/session`.
package struct SessionMark: Equatable, Sendable {
  package var lobby: String
  /// 32 hexadecimal digits, the same in all parts.
  package var id: String
  /// The instant at which all started, nanoseconds since the Unix epoch of the session's time.
  package var start: Int64
  /// Whether its parts were merged here, so that all times are the session's.
  package var isMerged: Bool

  package init(lobby: String, id: String, start: Int64, isMerged: Bool = false) {
    self.lobby = lobby
    self.id = id
    self.start = start
    self.isMerged = isMerged
  }

  /// What a file states; nil where it is of no session.
  init?(in file: Handle, path: String) throws(RSSIError) {
    guard SessionTables.isThere(in: file) else { return nil }
    let group = Handle(
      try checkRead(H5Gopen2(file.id, "session", hid_t(H5P_DEFAULT)), "open session of", path),
      close: H5Gclose)
    guard let lobby = group.textAttribute("lobby"), let id = group.textAttribute("id"),
      let start = group.textAttribute("start").flatMap({ Timestamp.parse(iso8601: $0) })
    else {
      throw RSSIError(
        .badInput, "/session of \(path) does not say which session it is of: it is damaged")
    }
    self.init(
      lobby: lobby, id: id, start: start,
      isMerged: group.attribute("merged", as: UInt8.self) == 1)
  }

  /// Writes the attributes into a new file that has the group.
  func write(to file: Handle, path: String) throws(RSSIError) {
    let group = Handle(
      try check(H5Gopen2(file.id, "session", hid_t(H5P_DEFAULT)), "open session of", path),
      close: H5Gclose)
    try group.setAttribute("lobby", lobby, in: path)
    try group.setAttribute("id", id, in: path)
    try group.setAttribute("start", Timestamp.iso8601(start), in: path)
    try group.setAttribute("merged", UInt8(isMerged ? 1 : 0), in: path)
  }
}
