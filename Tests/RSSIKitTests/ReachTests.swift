import Foundation
import RSSIKit
import TestSupport
import Testing

/// Every stage, filter and algorithm is public: another package can use it.
@Suite("The reach of RSSIKit")
struct ReachTests {
  /// The declarations in a folder of Sources that a pattern finds, and those of them that are not
  /// public.
  private func declared(
    in folder: String, _ pattern: Regex<(Substring, Substring, Substring)>
  ) throws -> (all: [String], hidden: [String]) {
    let root = repositoryRoot.appending(path: "Sources/\(folder)")
    let files = try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var (all, hidden): ([String], [String]) = ([], [])
    for case let file as URL in files where file.pathExtension == "swift" {
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: pattern) {
        all.append(String(match.2))
        if match.1 != "public " { hidden.append(String(match.2)) }
      }
    }
    return (all, hidden)
  }

  @Test func `every stage is public`() throws {
    let stages = try declared(
      in: "Pipelines", /(?m)^(|package |public )struct (\w+): (?:\w+, )*Stage\b/)
    #expect(stages.hidden == [])
    #expect(stages.all.count >= 21)
  }

  @Test func `every request is public, and other packages can create it`() throws {
    let requests = try declared(
      in: "Pipelines", /(?m)^(|package |public )struct (\w+Request)\b/)
    #expect(requests.hidden == [] && requests.all.count >= 25)
    // Those of other stages are created by the tests of the chain.
    let basis: (LocateRequest) throws -> LocateBasis = { try LocateBasis($0) }
    let source = try SourceRequest("hci0")
    #expect(throws: RSSIError.self) {
      // A stream needs a calibration.
      _ = try StreamLocateStage(
        StreamLocateRequest(by: basis(LocateRequest()), into: PositionSinks([]))
      ).run()
    }
    _ = LiveLocateRequest(source, by: try basis(LocateRequest()), into: PositionSinks([]))
    _ = ServeRequest(source, WatchRequest())
  }

  @Test func `every filter and smoother is public`() throws {
    for folder in ["Filters", "Smoothers"] {
      let filters = try declared(
        in: "Analysis/Filtering/\(folder)",
        /(?m)^(|package |public )struct (\w+): Level(?:Filter|Smoother)\b/)
      #expect(filters.hidden == [] && !filters.all.isEmpty)
    }
    #expect(FilterKind.all.count >= 19)
  }

  @Test func `every algorithm is public`() throws {
    let algorithms = try declared(
      in: "Analysis/Positioning",
      /(?m)^(|package |public )(?:struct|final class) (\w+): (?:Epoch|Positioning|Delayed)Algorithm\b/
    )
    #expect(algorithms.hidden == [])
    #expect(Algorithms.all(withSurvey: true).count >= 22)
  }

  /// The snippet is built with the package.
  @Test func `the steps that open the catalogue are those of a snippet`() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: repositoryRoot.appending(path: path), encoding: .utf8)
    }
    let snippet = try Set(text("Snippets/FiveSteps.swift").split(separator: "\n"))
    let blocks = try text("Sources/RSSIKit/RSSIKit.docc/RSSIKit.md").split(separator: "```swift\n")
      .dropFirst().map { $0.prefix(upTo: $0.range(of: "```")!.lowerBound) }
    #expect(blocks.count == 5)
    for line in blocks.flatMap({ $0.split(separator: "\n") }) { #expect(snippet.contains(line)) }
  }

  @Test func `algorithms are made of values`() throws {
    let observations = [(0.0, 0.0, -65.0), (6.0, 0.0, -70.0), (0.0, 6.0, -72.0)].map { x, y, rssi in
      Observation(
        anchor: Point(x: x, y: y), rssi: rssi, measuredPower: -59, exponent: 2, sigma: 4)
    }
    let algorithms: [any PositioningAlgorithm] = [
      WeightedCentroid(degree: 2), Centroid(), NearestAnchor(), MinMaxBox(), MaximumLikelihood(),
      LinearLeastSquares(), RangeLeastSquares(), PosteriorMean(), EPTA(), PowerCenter(anchors: 3),
      GridFilter(), ParticleFilter(), KalmanTracker(speed: 1, usesMap: false),
    ]
    for algorithm in algorithms {
      let outcomes = algorithm.locate(
        [Scan(instant: 2_000_000_000, start: 0, observations: observations)], in: Surroundings())
      #expect(outcomes.count == 1, "\(algorithm.name)")
    }
  }
}
