/// Columns of data that are drawn alike. Series of one name share a colour and an entry of the
/// legend.
///
/// The columns of a series are of one length. A row in which a value is not finite is not drawn,
/// and breaks a line, steps and a band.
package struct Series: Equatable, Sendable {
  package enum Shape: Equatable, Sendable {
    case points(x: [Double], y: [Double])
    case line(x: [Double], y: [Double])
    /// Each value holds until the next.
    case steps(x: [Double], y: [Double])
    /// What lies between `low` and `high`, shaded.
    case band(x: [Double], low: [Double], high: [Double])
    /// A thin upright stroke from `low` to `high` at each place, without ends.
    case whiskers(x: [Double], low: [Double], high: [Double])
  }

  /// What a series stands for, which decides its colour.
  package enum Role: Sendable {
    /// One of several that are compared: the next colour of the palette, the same in all panels.
    case compared
    /// What was received: small grey dots or a grey line.
    case raw
    /// What is known to be true: black.
    case truth
  }

  /// Its entry of the legend; none where it is empty.
  package var name: String
  package var shape: Shape
  package var role: Role
  /// What a compared series has its colour from: series of one colour name look as if of one name.
  package var colourName: String
  /// Whether a band is paler than others, as one that holds another should be.
  package var isPale = false

  /// - Parameter colourName: its name where nil.
  package init(
    _ name: String, _ shape: Shape, role: Role = .compared, colourName: String? = nil
  ) {
    self.name = name
    self.shape = shape
    self.role = role
    self.colourName = colourName ?? name
  }
}

extension Series.Shape {
  /// The columns that are read on the x axis and on the y axis.
  var columns: (x: [Double], y: [[Double]]) {
    switch self {
    case .points(let x, let y), .line(let x, let y), .steps(let x, let y): (x, [y])
    case .band(let x, let low, let high), .whiskers(let x, let low, let high): (x, [low, high])
    }
  }

  /// Whether rows are joined by a stroke.
  var isLine: Bool {
    switch self {
    case .line, .steps: true
    case .points, .band, .whiskers: false
    }
  }
}
