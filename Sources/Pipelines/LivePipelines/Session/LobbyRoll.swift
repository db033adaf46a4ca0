import Support

/// Notes which members come, are ready and go.
struct LobbyRoll {
  private let log: any ActivityLog
  private var known: [String: Member.State] = [:]
  private var leader: String?

  init(_ log: any ActivityLog) { self.log = log }

  mutating func note(_ lobby: Lobby) {
    guard lobby.isInside else { return }
    for member in lobby.others.values.sorted(by: { $0.name < $1.name })
    where known[member.name] != member.state {
      // Members that were gone before this one came are not news.
      if known[member.name] != nil || member.state.isPresent {
        let isSilent = member.state == .lost && lobby.silent.contains(member.incarnation)
        log.note(
          "\(member.name): "
            + "\(isSilent ? "does not answer, and counts as lost" : words(member.state))"
        )
      }
      known[member.name] = member.state
    }
    if let name = lobby.leader?.name, lobby.leader?.isSynchronised == true, name != leader {
      log.note(name == lobby.me.name ? "this member leads" : "\(name) leads")
      leader = name
    }
  }

  private func words(_ state: Member.State) -> String {
    switch state {
    case .joining: "has come"
    case .ready: "ready"
    case .recording: "records"
    case .handing: "has recorded"
    case .left: "left"
    case .lost: "lost"
    }
  }
}
