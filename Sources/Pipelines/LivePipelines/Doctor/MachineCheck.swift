package import Support

/// One thing that recording or reporting needs, as it was found on this machine.
package struct MachineCheck: Equatable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case ok, warning, problem
    /// It could not be found out.
    case unknown
  }

  package var name: String
  package var state: State
  /// What was found.
  package var finding: String
  /// What to do; nil where nothing is to be done.
  package var advice: String?

  package init(_ name: String, _ state: State, _ finding: String, advice: String? = nil) {
    (self.name, self.state, self.finding, self.advice) = (name, state, finding, advice)
  }

  /// What an error of the library states, which a stage would end with.
  package init(
    _ name: String, _ error: RSSIError, state: State = .problem, advice: String? = nil
  ) {
    let subject = error.subject.map { "\($0): " } ?? ""
    self.init(name, state, subject + error.problem, advice: error.advice ?? advice)
  }
}
