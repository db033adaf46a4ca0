import PathLoss
import Support
import Testing

@testable import TracePipelines

@Suite struct EvaluationRequestTests {
  private static let wrong: [(words: String, change: @Sendable (inout EvaluationRequest) -> Void)] =
    [
      ("`calibration`, or", { $0.calibrations = [] }),
      ("do not go together", { $0.crossValidate = .traces }),
      ("`by` goes with", { $0.by = Grouping([.beacon]) }),
      ("`estimator` goes with", { $0.estimator = .leastSquares }),
      (
        "`epoch` stay",
        {
          $0.calibrations = []
          $0.crossValidate = .places
        }
      ),
      (
        "never scores",
        {
          $0.calibrations = []
          $0.crossValidate = .traces
          $0.inSample = true
        }
      ),
      ("`epoch`: invalid duration", { $0.epoch = .periodic(step: .zero, window: .nanoseconds(1)) }),
      ("`patience`", { $0.patience = .nanoseconds(1) }),
      ("exec:", { $0.algorithms = ["exec: "] }),
      ("unknown algorithm", { $0.algorithms = ["guess"] }),
      ("name an algorithm", { $0.algorithms = [] }),
    ]

  @Test(arguments: wrong.indices)
  func `options that exclude each other are refused`(index: Int) throws {
    var request = EvaluationRequest()
    request.calibrations = ["c.json"]
    try request.check()
    Self.wrong[index].change(&request)
    #expect {
      try request.check()
    } throws: { error in
      (error as? RSSIError)?.kind == .usage && "\(error)".contains(Self.wrong[index].words)
    }
  }

  @Test func `a name that is given twice is asked once`() throws {
    var request = EvaluationRequest()
    request.algorithms = ["centroid", "kalman", "centroid"]
    #expect(try request.chosenAlgorithms.map(\.name) == ["centroid", "kalman"])
    request.algorithms = ["all"]
    let names = try request.chosenAlgorithms.map(\.name)
    #expect(names.contains("grid-filter") && !names.contains("fingerprint"))
    request.survey = ["s.h5"]
    #expect(try request.chosenAlgorithms.map(\.name).contains("fingerprint"))
  }
}
