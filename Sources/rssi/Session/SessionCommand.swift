import ArgumentParser

struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Record with several receivers together, over an MQTT broker.",
    discussion: """
      Members meet in a lobby, compare their clocks, and start and stop at common instants. Each \
      member records its own part; the parts are merged into one trace.

      EXAMPLES:
        rssi session join hall hci0 --broker mqtt://broker.local -o part.h5
        rssi session who hall --broker mqtt://broker.local
        rssi session merge part-*.h5 -o session.h5
      """,
    subcommands: [
      SessionJoinCommand.self, SessionWhoCommand.self, SessionStopCommand.self,
      SessionMergeCommand.self,
    ])
}
