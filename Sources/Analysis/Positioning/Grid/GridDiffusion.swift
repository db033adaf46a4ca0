/// Lets weights diffuse along one axis of a grid, where there is a way from cell to cell.
struct GridDiffusion {
  /// From a cell to the next along the axis.
  let stride: Int
  /// Cells along the axis, and the first cell of each line.
  let length: Int
  let lines: [Int]
  /// For each cell of a plane 1 where there is a way to the next, else 0; empty = always.
  let passable: [Float]
  /// The cells of a plane: passages are the same in every layer.
  let area: Int

  /// A step in which each cell gives its neighbours a share of what it has more than they.
  ///
  /// Adds 2 × rate squared cells to the variance; a rate of 1/4 is the kernel [1/4, 1/2, 1/4].
  func step(_ p: inout [Float], rate: Float) {
    for line in lines {
      let plane = line % area
      var before: Float = 0
      var here = p[line]
      for number in 0..<length - 1 {
        let offset = number * stride
        let next = p[line + offset + stride]
        let way = passable.isEmpty ? 1 : passable[plane + offset]
        let flow = rate * way * (next - here)
        p[line + offset] = here + flow - before
        before = flow
        here = next
      }
      p[line + (length - 1) * stride] = here - before
    }
  }

  /// A step of any size: solves (1 - rate ∂²) p' = p along each line, which keeps all weights
  /// positive and their sum.
  ///
  /// Thomas's algorithm; adds 2 × rate squared cells to the variance, with longer tails than a
  /// Gaussian.
  func implicitStep(_ p: inout [Float], rate: Float) {
    var above = [Float](repeating: 0, count: length)
    for line in lines {
      let plane = line % area
      var before: Float = 0
      for number in 0..<length {
        let offset = number * stride
        let isLast = number == length - 1
        let after: Float = isLast ? 0 : rate * (passable.isEmpty ? 1 : passable[plane + offset])
        // Row of the system: -before p[i-1] + (1 + before + after) p[i] - after p[i+1].
        let eliminated = number > 0 ? before * above[number - 1] : 0
        let pivot = 1 + before + after - eliminated
        above[number] = after / pivot
        let known = number > 0 ? before * p[line + offset - stride] : 0
        p[line + offset] = (p[line + offset] + known) / pivot
        before = after
      }
      for number in (0..<length - 1).reversed() {
        let offset = number * stride
        p[line + offset] += above[number] * p[line + offset + stride]
      }
    }
  }
}
