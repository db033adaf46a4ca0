import CRevision
import Support
import TracePipelines
import TraceStore

extension ToolIdentity {
  /// This program and its command line, without the folder of the program.
  static let program = ToolIdentity(version: version, called: ["rssi"] + programArguments)

  /// The release, and the commit if the build knows it: `0.1.0 (a9a6f18)`.
  private static var version: String {
    build.version + (build.commit.isEmpty ? "" : " (\(build.commit))")
  }

  /// The release and the commit, which is empty if the build does not know it.
  static var build: (version: String, commit: String) {
    ("0.1.0", String(cString: crevision_commit()))
  }

  /// Returns this program without options of output, so that merged parts are the same document as
  /// that of one process.
  ///
  /// - Parameters:
  ///   - others: further options that choose what is in a part, with their values.
  ///   - inputs: arguments to leave out if parts have files of their own.
  static func shareable(without others: Set<String> = [], inputs: [String] = []) -> ToolIdentity {
    let flags: Set = ["--full", "--json", "--quiet", "-q"]
    let options = others.union([
      "--report", "--part", "--share", "-o", "--output", "--format", "--sort", "--picture",
    ])
    var words: [String] = []
    var isValue = false
    for word in programArguments {
      let name = String(word.prefix { $0 != "=" })
      if !isValue, !flags.contains(word), !options.contains(name), !inputs.contains(word) {
        words.append(word)
      }
      isValue = !isValue && options.contains(word)
    }
    return ToolIdentity(version: version, called: ["rssi"] + words)
  }
}
