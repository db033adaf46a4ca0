import Filtering
import Geometry
import Positioning
import Support

/// The algorithms of an evaluation, each with the name it was given.
struct ChosenAlgorithms {
  /// A program, told by the names of the anchors; another algorithm, the same for all targets.
  enum Kind {
    case known(any PositioningAlgorithm)
    case program(String)
  }

  let algorithms: [(name: String, kind: Kind)]
  /// The time of a program for one answer, milliseconds.
  let patience: Int

  /// - Parameters:
  ///   - list: `all`, or names with commas; nil = all unless single ones are given.
  ///   - single: one each, with parameters or as `exec:PROGRAM`.
  ///   - withSurvey: whether there is something to learn a site from.
  init(list: String?, single: [String], patience: String, withSurvey: Bool) throws {
    guard let time = duration(patience), time >= 1_000_000 else {
      throw RSSIError(.usage, "--patience \(patience): write a time such as 10s or 500ms")
    }
    self.patience = Int(clamping: time / 1_000_000)
    var names: [String] = []
    names = Algorithms.names(in: list ?? (single.isEmpty ? "all" : "")).flatMap { name in
      name == "all" ? Algorithms.all(withSurvey: withSurvey) : [name]
    }
    names += single
    var seen: Set<String> = []
    names = names.filter { seen.insert($0).inserted }
    guard !names.isEmpty else { throw RSSIError(.usage, "name an algorithm, or all") }
    algorithms = try names.map { name in
      if name.hasPrefix("exec:") {
        let command = String(name.dropFirst("exec:".count))
        guard command.contains(where: { !$0.isWhitespace }) else {
          throw RSSIError(.usage, "exec: needs a program, as in exec:./mine")
        }
        return (name, .program(command))
      }
      do throws(AlgorithmError) {
        return (name, .known(try Algorithms.named(name)))
      } catch {
        throw RSSIError(.usage, error.description)
      }
    }
  }

  /// An algorithm for targets whose anchors have these names.
  func algorithm(_ index: Int, anchors: [String]) -> any PositioningAlgorithm {
    switch algorithms[index].kind {
    case .known(let algorithm): algorithm
    case .program(let command):
      ProgramAlgorithm(command: command, patience: patience) { anchors[$0] }
    }
  }
}
