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
    let texts = Specification.texts(
      of: text.split(separator: ",", omittingEmptySubsequences: false))
    let names = texts.flatMap {
      $0 == "all" ? FilterKind.all.filter(\.hasDefaults).map(\.name) : [$0]
    }
    // Raw levels are always there.
    return try names.filter { $0 != "raw" }.map { name throws(RSSIError) in
      (name, try filters(of: name).map(FilterSpecification.init))
    }
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
