import Geometry

extension AlgorithmSettings {
  /// The text of an algorithm inside another's parameter, with commas between its parameters.
  ///
  /// Commas end a parameter, so those inside are written as +. A + that no `name=` follows belongs
  /// to a value, as between members or in 1e+3.
  static func unpacked(_ text: String) -> String {
    let pieces = text.split(separator: "+", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(String(pieces[0])) { whole, piece in
      whole + (piece.contains("=") ? "," : "+") + piece
    }
  }
}

extension Algorithms {
  /// The names in a list with commas, such as `epta,weighted-centroid:degree=1`, each with its
  /// parameters.
  ///
  /// A piece such as `epta=0.5` is a further parameter of the algorithm before it: what starts an
  /// algorithm has a colon before any equals sign, or neither.
  package static func names(in list: String) -> [String] {
    var names: [String] = []
    for piece in list.split(separator: ",") {
      if let mark = piece.first(where: { $0 == "=" || $0 == ":" }), mark == "=", !names.isEmpty {
        names[names.count - 1] += "," + piece
      } else {
        names.append(String(piece))
      }
    }
    return names
  }
}
