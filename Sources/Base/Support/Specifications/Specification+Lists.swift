extension Specification {
  /// The texts of specifications in the pieces of a list with commas, such as
  /// `epta,kalman:speed=1,map=yes`.
  ///
  /// A piece such as `map=yes` is a further parameter of the specification before it: what starts
  /// one has a colon before any equals sign, or neither.
  package static func texts(of pieces: [Substring]) -> [String] {
    var texts: [String] = []
    for piece in pieces {
      if piece.first(where: { $0 == "=" || $0 == ":" }) == "=", let last = texts.indices.last {
        texts[last] += "," + piece
      } else {
        texts.append(String(piece))
      }
    }
    return texts
  }

  /// The text of a specification inside another's parameter, with commas between its parameters.
  ///
  /// Commas end a parameter, so those inside are written as +. A + that no `name=` follows belongs
  /// to a value, as between members or in 1e+3.
  package static func nested(_ text: String) -> String {
    let pieces = text.split(separator: "+", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(String(pieces[0])) { whole, piece in
      whole + (piece.contains("=") ? "," : "+") + piece
    }
  }
}
