package import Filtering
package import Support

extension FilterSpecification {
  /// Reads chains to compare, under the names that they are written with: chains apart by commas, the filters of a chain by plus signs.
  ///
  ///     kalman,median:window=1s,ewma:tau=2s        three filters
  ///     kalman:q=6,r=12,median+kalman              a filter with two parameters, and a chain
  ///     all                                        every filter with its defaults
  package static func chains(
    _ text: String
  ) throws(RSSIError) -> [(name: String, chain: [FilterSpecification])] {
    var names: [String] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      // A parameter belongs to the filter before it; a filter has its name first.
      let isParameter =
        piece.firstIndex(of: "=").map { equals in
          piece.firstIndex(of: ":").map { equals < $0 } ?? true
        } ?? false
      if isParameter, let last = names.indices.last {
        names[last] += "," + piece
      } else if piece == "all" {
        names += FilterKind.all.filter(\.hasDefaults).map(\.name)
      } else {
        names.append(piece)
      }
    }
    // They are always there.
    names.removeAll { $0 == "raw" }
    var chains: [(name: String, chain: [FilterSpecification])] = []
    for name in names {
      let chain = try filters(of: name).map { text throws(RSSIError) in
        try FilterSpecification(text)
      }
      chains.append((name, chain))
    }
    return chains
  }

  /// The filters of a chain: a plus sign goes before a filter's name, not before a number.
  private static func filters(of chain: String) -> [String] {
    var filters = [""]
    for (index, character) in zip(chain.indices, chain) {
      let next = chain.index(after: index)
      if character == "+", next < chain.endIndex, chain[next].isLetter {
        filters.append("")
      } else {
        filters[filters.count - 1].append(character)
      }
    }
    return filters
  }
}
