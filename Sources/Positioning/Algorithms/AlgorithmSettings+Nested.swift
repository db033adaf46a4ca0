extension AlgorithmSettings {
  /// The text of an algorithm inside another's parameter, with commas between its parameters.
  ///
  /// Commas end a parameter, so those inside are written as +. A + that no `name=` follows belongs to a
  /// value, as between members or in 1e+3.
  static func unpacked(_ text: String) -> String {
    let pieces = text.split(separator: "+", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(String(pieces[0])) { whole, piece in
      whole + (piece.contains("=") ? "," : "+") + piece
    }
  }
}

extension Algorithms {
  /// The algorithms that a list with commas names, such as `epta,weighted-centroid:degree=1`; `all` means
  /// ``all``.
  ///
  /// A piece such as `epta=0.5` is a further parameter of the algorithm before it, because in a name
  /// nothing comes before a colon that has an equals sign.
  ///
  /// - Throws: one sentence about an unknown algorithm, parameter or value, or an algorithm named twice.
  public static func list(_ text: String) throws(AlgorithmError) -> [(
    text: String, algorithm: any PositioningAlgorithm
  )] {
    var names: [String] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      if let mark = piece.first(where: { $0 == "=" || $0 == ":" }), mark == "=", !names.isEmpty {
        names[names.count - 1] += "," + piece
      } else {
        names.append(String(piece))
      }
    }
    var list: [(text: String, algorithm: any PositioningAlgorithm)] = []
    for name in names {
      let found = name == "all" ? all.map { ($0.name, $0) } : [(name, try named(name))]
      for (text, algorithm) in found {
        guard !list.contains(where: { $0.text == text }) else {
          throw AlgorithmError(description: "the algorithm \(text) is named twice")
        }
        list.append((text, algorithm))
      }
    }
    return list
  }
}
