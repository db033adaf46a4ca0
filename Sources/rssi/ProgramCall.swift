import CRevision
import Support
import TracePipelines
import TraceStore

extension ToolIdentity {
  /// This program, and how it was called, with its own folder left out.
  static let program = ToolIdentity(version: version, called: ["rssi"] + programArguments)

  /// The release, and the commit if the build knows it: `0.1.0 (a9a6f18)`.
  private static var version: String {
    build.version + (build.commit.isEmpty ? "" : " (\(build.commit))")
  }

  /// The release and the commit, which is empty if the build does not know it.
  static var build: (version: String, commit: String) {
    ("0.1.0", String(cString: crevision_commit()))
  }

  /// This program as work that is shared names it: without where it writes and what it shows, so
  /// that merged parts are the same document as that of one process.
  ///
  /// - Parameters:
  ///   - others: further options that choose what is in a part, with their values.
  ///   - inputs: arguments that are left out, where parts have files of their own.
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
