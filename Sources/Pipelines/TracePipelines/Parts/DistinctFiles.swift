import Support

/// Refuses a file that is named twice, by whatever links and names.
func requireDistinctFiles(_ inputs: [String]) throws(RSSIError) {
  var names: [FileIdentity: String] = [:]
  for input in inputs where input != "-" {
    guard let file = FileIdentity(path: input) else { continue }
    if let other = names[file] {
      throw RSSIError(.usage, "\(other) and \(input) are the same file: its sightings count once")
    }
    names[file] = input
  }
  guard inputs.count(where: { $0 == "-" }) < 2 else {
    throw RSSIError(.usage, "- is there twice: the standard input is read once")
  }
}
