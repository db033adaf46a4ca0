import ArgumentParser

struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Record with several receivers together, over an MQTT broker.",
    discussion: """
      Members meet in a lobby, compare their clocks, and start and stop at common instants. Each \
      member records its own part; the parts are merged into one trace.
      """,
    subcommands: [
      SessionJoinCommand.self, SessionWhoCommand.self, SessionStopCommand.self,
      SessionMergeCommand.self,
    ])
}
