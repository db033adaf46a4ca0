import Filtering
import Foundation
import Positioning
import Reporting
import Support
import TestSupport
import Testing

/// The declared parameters of filters and algorithms, their accepted values, and their
/// documentation.
struct ParameterListTests {
  private static let kinds: [any SpecifiedKind] = FilterKind.all + Algorithms.kinds

  /// Reads a specification among kinds of its sort; the text of the refusal, if it is refused.
  private static func refusal(_ text: String, of kind: any SpecifiedKind) -> String? {
    do throws(RSSIError) {
      if kind is FilterKind {
        _ = try FilterSpecification(text)
      } else {
        _ = try Algorithms.named(text)
      }
      return nil
    } catch {
      return error.description
    }
  }

  /// A specification with one parameter, and what else must be written.
  private static func text(
    _ kind: any SpecifiedKind, _ parameter: Parameter, _ value: String
  ) -> String {
    let name = parameter.isPlaceholder ? "centroid" : parameter.name
    let others = kind.parameters.filter { $0.name != name }.compactMap { other -> String? in
      // q and r are both written, or neither.
      if ["q", "r"].contains(name), ["q", "r"].contains(other.name) { return "\(other.name)=1" }
      return other.example.map { "\(other.name)=\($0)" }
    }
    return "\(kind.name):" + (["\(name)=\(value)"] + others).joined(separator: ",")
  }

  /// Values at the ends of what is valid, and just beyond them.
  private static func edges(_ parameter: Parameter) -> (valid: [String], invalid: [String]) {
    switch parameter.quantity {
    case .time(let longest):
      return (
        ["0.001ms", longest.map { "\($0 / 1_000_000)ms" } ?? "365d"],
        ["0", "-1s", "2 s"] + (longest.map { ["\($0 / 1_000_000 + 1)ms"] } ?? [])
      )
    case .number(let range, let isHalfOpen, _, let word):
      let (lower, upper) = (range.lowerBound, range.upperBound)
      return (
        ["\(lower)", "\(isHalfOpen ? upper.nextDown : upper)"] + [word].compactMap(\.self),
        ["\(lower.nextDown)", "\(isHalfOpen ? upper : upper.nextUp)", "nan", "one"]
      )
    case .count(let range, let word):
      return (
        ["\(range.lowerBound)", "\(range.upperBound)"] + [word].compactMap(\.self),
        ["\(range.lowerBound - 1)", "\(range.lowerBound).5", "many"]
          + (range.upperBound == .max ? [] : ["\(range.upperBound + 1)"])
      )
    case .choice(let words): return (words, words.map { $0.uppercased() } + ["other"])
    case .text: return ([parameter.example ?? "missing"], [])
    }
  }

  @Test func `each kind has its own name, and each of its parameters too`() {
    for kinds in [FilterKind.all.map(\.name), Algorithms.kinds.map(\.name)] {
      #expect(Set(kinds).count == kinds.count)
    }
    for kind in Self.kinds {
      #expect(Set(kind.parameters.map(\.name)).count == kind.parameters.count, "\(kind.name)")
    }
  }

  @Test func `defaults and the ends of each range are accepted, what is beyond is refused`() {
    for kind in Self.kinds {
      for parameter in kind.parameters {
        let (valid, invalid) = Self.edges(parameter)
        for value in valid + [parameter.fallback, parameter.example].compactMap(\.self) {
          let text = Self.text(kind, parameter, value)
          #expect(Self.refusal(text, of: kind) == nil, "\(text)")
        }
        for value in invalid + [""] {
          let text = Self.text(kind, parameter, value)
          let name = parameter.isPlaceholder ? "centroid" : parameter.name
          let sentence = "\"\(text)\": \(name) must be "
          let refusal = Self.refusal(text, of: kind)
          #expect(refusal?.hasPrefix(sentence) == true, "\(refusal ?? "accepted"): \(text)")
        }
      }
    }
  }

  @Test func `the list has every name, default and range within 80 columns`() {
    for list in [parameterList(of: FilterKind.all), parameterList(of: Algorithms.kinds)] {
      #expect(list.split(separator: "\n").allSatisfy { $0.count < 80 })
    }
    #expect(
      parameterList(of: FilterKind.all.filter { ["tobit", "median"].contains($0.name) }) == """
        tobit        kalman in which missing advertisements mean a low level
          q          process noise of the mean level: from 0 to 1e9 dB²/s
          r          measurement noise of a level: from 1e-9 to 1e9 dB²
          interval   the mean advertising interval: above 0 (required)
          floor      sensitivity of the receiver; estimated if left out: from -150 to
                     20 dBm
          loss       share of packets lost at any level; estimated if left out: from 0
                     to below 1
        median       median over a time window
          window=2s  length of the window: above 0
        """)
  }

  /// The cells of the rows of a page's tables with a number of columns.
  private static func rows(_ page: String, columns: Int) throws -> [[String]] {
    let text = try String(contentsOf: repositoryRoot.appending(path: page), encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { $0.count == columns }
  }

  @Test func `docs/filters.md has the parameters of every filter with their defaults`() throws {
    let rows = try Self.rows("docs/filters.md", columns: 5)
    for kind in FilterKind.all where !kind.name.hasPrefix("peer-") {
      let parameters = kind.parameters.map { parameter in
        let text = "`\(parameter.name)\(parameter.fallback.map { "=\($0)" } ?? "")`"
        return parameter.example == nil ? text : "**\(text)**"
      }
      let row = try #require(rows.first { $0[0].hasPrefix("[`\(kind.name)`]") }, "\(kind.name)")
      #expect(row[2] == (parameters.isEmpty ? "none" : parameters.joined(separator: ", ")))
      #expect(row[4] == (kind.isCausal ? "yes" : "no"))
    }
  }

  @Test func `docs/trackers.md has the parameters of every tracker with their ranges`() throws {
    let trackers = [
      "kalman", "particle-filter", "particle-smoother", "grid-filter", "grid-smoother",
    ]
    var documented: Set<[String]> = []
    for row in try Self.rows("docs/trackers.md", columns: 5) {
      for name in trackers where row[0].hasPrefix("`") && row[1].contains("`\(name)`") {
        documented.insert([name] + [0, 2, 3].map { row[$0].replacing("`", with: "") })
      }
    }
    let declared = Algorithms.kinds.filter { trackers.contains($0.name) }.flatMap { kind in
      kind.parameters.map { [kind.name, $0.name, $0.fallback ?? "", $0.range] }
    }
    #expect(documented == Set(declared))
  }
}
