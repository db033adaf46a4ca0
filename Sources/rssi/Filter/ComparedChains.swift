import Filtering

/// Reads what `--compare` names: chains apart by commas, the filters of a chain by plus signs.
///
///     kalman,median:window=1s,ewma:tau=2s        three filters
///     kalman:q=6,r=12,median+kalman              a filter with two parameters, and a chain
///     all                                        every filter with its defaults
func comparedChains(
  _ text: String
) throws -> [(name: String, chain: [FilterSpecification])] {
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
  return try names.map { name in
    (name, try filters(of: name).map { try FilterSpecification($0) })
  }
}

/// The filters of a chain: a plus sign goes before a filter's name, not before a number.
private func filters(of chain: String) -> [String] {
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
