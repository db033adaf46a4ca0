import Support

/// Whether a text can name a lobby or a member: 1 to 64 of A-Z, a-z, 0-9, `.`, `_` and `-`.
///
/// Names are levels of MQTT topics and parts of file names, so nothing that means something in
/// either may be in them.
package func isLobbyName(_ text: String) -> Bool {
  let bytes = text.utf8
  return (1...64).contains(bytes.count) && text != "." && text != ".."
    && bytes.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || [45, 46, 95].contains(byte)
    }
}

/// Refuses what cannot name a lobby or a member.
func requireLobbyName(_ text: String, _ what: String) throws(RSSIError) {
  guard isLobbyName(text) else {
    throw RSSIError(
      .usage,
      "\"\(text)\" is not a name of a \(what): write 1 to 64 letters, digits, dots, dashes or "
        + "underscores"
    )
  }
}
