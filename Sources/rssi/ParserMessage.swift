import ArgumentParser
import Support

/// An error of the argument parser in the form of all others: one sentence, and where to read more.
struct ParserMessage {
  let text: String

  /// - Parameters:
  ///   - message: what is wrong, as the parser states it.
  ///   - whole: the same with the paragraphs of usage, which name the stage.
  init(_ message: String, whole: String) {
    guard !message.isEmpty else {
      text = ""
      return
    }
    // A sentence of the parser begins with a capital letter.
    let sentence = message.prefix(1).lowercased() + message.dropFirst()
    let advice = whole.firstMatch(of: /See '(.+?)'/).map { "\nSee '\($0.1)'." } ?? ""
    text = "rssi: \(sentence)\(advice)"
  }
}

extension ParsableCommand {
  /// Refuses words in the places of stages that are none, which the parser would call unexpected
  /// arguments of the stage above, or answer with its help.
  static func requireStages(_ words: ArraySlice<String>) throws(RSSIError) {
    var words = words
    var stage: any ParsableCommand.Type = Self.self
    var path: [String] = []
    if words.first == "help" { words.removeFirst() }
    while let word = words.popFirst(), !word.hasPrefix("-"), word != "help" {
      let stages = stage.configuration.subcommands
      guard !stages.isEmpty else { return }
      guard let next = stages.first(where: { $0.configuration.commandName == word }) else {
        let names = stages.compactMap { $0.configuration.commandName }
        let hint =
          nearestName(to: word, among: names).map { ": did you mean \"\($0)\"?" }
          ?? "; there are \(names.joined(separator: ", "))"
        let name = (path + [word]).joined(separator: " ")
        throw RSSIError(.usage, "there is no stage \"\(name)\"\(hint)")
      }
      stage = next
      path.append(word)
    }
  }
}
