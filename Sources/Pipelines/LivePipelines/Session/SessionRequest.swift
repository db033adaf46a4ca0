import Glibc
package import Support

/// A session to take part in, and what to record in it.
package struct SessionRequest {
  package var lobby: RendezvousRequest
  /// The recording to make; each part is a separate output.
  package var recording: CaptureRequest
  /// The name of the first part; further ones are numbered.
  package var output: String
  /// The name of this member.
  package var name: String
  /// The number of members that must be ready, with this one; the leader's value applies.
  package var members = 2
  /// The most members that may be there; the leader's value applies.
  package var maxMembers = 8
  /// Nanoseconds that the session lasts; nil = until a member stops it.
  package var duration: Int64?
  /// A Boolean value that is true if a request to stop ends the session for all members.
  package var stopAll = false
  /// The merged trace to write when the session is over; nil leaves the merge to others.
  package var merge: String?
  /// Bytes that the others' parts may have together.
  package var maxTransfer: UInt64 = 1_000_000_000

  package init(
    lobby: RendezvousRequest, name: String, recording: CaptureRequest, output: String
  ) {
    (self.lobby, self.name, self.output) = (lobby, name, output)
    self.recording = recording
    self.recording.output = output
    // Gateways have other names; the merged trace puts the member's before them.
    if !recording.source.name.isGateways { self.recording.receiver = name }
    self.recording.trace = recording.trace ?? lobby.lobby
  }

  /// - Throws: `RSSIError` of kind `usage` for values that cannot be met, alone or together.
  package func check() throws(RSSIError) {
    try lobby.check()
    try requireSessionName(name, "member")
    try recording.check()
    guard (1...256).contains(maxMembers), (1...maxMembers).contains(members) else {
      throw RSSIError(
        .usage,
        "`members` \(members) and `maxMembers` \(maxMembers) do not go together: write 1 to 256, "
          + "the first not above the second"
      )
    }
    guard let merge else { return }
    guard !PartFiles.isPart(merge, of: output) else {
      throw RSSIError(
        .usage, "`merge` \(merge) is a name of this member's own parts: name another")
    }
    try requireNothing(at: merge, .usage)
  }
}

/// Refuses to write a merged trace over an existing file.
func requireNothing(at path: String, _ kind: RSSIError.Kind) throws(RSSIError) {
  guard access(path, F_OK) != 0 else {
    throw RSSIError(
      kind, "\(path) exists already, and a merged trace does not replace a file: name another")
  }
}
