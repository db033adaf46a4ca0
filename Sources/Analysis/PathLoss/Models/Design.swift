import RealModule

/// The design matrix of a linear model, one row per station.
struct Design {
  /// The meaning of a coefficient after the first.
  enum Column: Equatable {
    /// −10 log10 of the distance.
    case exponent
    /// The same beyond a breakpoint: its coefficient is the change of the exponent there.
    case bend
    /// 1 beyond a breakpoint: the derivative of predictions with respect to it, for errors that
    /// include its uncertainty.
    case shift
    /// The number of walls of a kind, whose coefficient is their loss.
    case wall(String)
    /// A contrast of channels.
    case channel
  }

  private(set) var names: [Column]
  private(set) var columns: [[Double]]
  private var offset: [Double]
  private let fixedExponent: Double?

  init(_ model: PathLossModel, _ stations: [Station]) {
    let x = stations.map { logDistance($0.distance) }
    if case .fixedExponent(let exponent) = model {
      fixedExponent = exponent
      names = []
      columns = stations.map { _ in [] }
      offset = x.map { exponent * $0 }
      return
    }
    fixedExponent = nil
    names = [.exponent]
    columns = x.map { [$0] }
    offset = x.map { _ in 0 }
    guard model == .walls else { return }
    offset = stations.map { -$0.knownLoss }
    // A kind of wall that affects no station has no loss to fit.
    for kind in Set(stations.flatMap { ($0.walls ?? [:]).filter { $0.value > 0 }.keys }).sorted() {
      names.append(.wall(kind))
      for index in columns.indices {
        columns[index].append(-Double(stations[index].walls?[kind] ?? 0))
      }
    }
  }

  /// Adds the change of slope beyond a distance, in metres.
  mutating func addHinge(at breakpoint: Double, _ stations: [Station]) {
    names.append(.bend)
    for index in columns.indices {
      columns[index].append(
        min(0, logDistance(stations[index].distance) - logDistance(breakpoint)))
    }
  }

  /// Adds columns of one kind.
  ///
  /// - Parameter rows: The rows, by station.
  mutating func add(_ rows: [[Double]], of name: Column) {
    names += repeatElement(name, count: rows.first?.count ?? 0)
    for index in columns.indices { columns[index] += rows[index] }
  }

  /// The number of coefficients, including that of the first column.
  var parameters: Int { names.count + 1 }

  /// Returns the design with the column of the breakpoint's own uncertainty (Muggeo 2003, equation
  /// 4), whose coefficient is 0 at the best breakpoint.
  func allowingForBreakpoint(at breakpoint: Double, _ stations: [Station]) -> Design {
    var design = self
    design.names.append(.shift)
    for index in columns.indices {
      design.columns[index].append(stations[index].distance > breakpoint ? 1 : 0)
    }
    return design
  }

  /// Returns the observations of the stations of the design, or of the first of them.
  func observations(_ stations: [Station]) -> Observations {
    Observations(
      stations, columns: Array(columns.prefix(stations.count)),
      offset: Array(offset.prefix(stations.count)))
  }

  /// Returns the exponent from uncentred coefficients.
  func exponent(_ coefficients: [Double]) -> Double? {
    fixedExponent ?? names.firstIndex(of: .exponent).map { coefficients[$0 + 1] }
  }

  /// Returns the exponent beyond the breakpoint, or `nil` if there is none.
  func farExponent(_ coefficients: [Double]) -> Double? {
    guard let near = index(of: .exponent), let bend = index(of: .bend) else { return nil }
    return coefficients[near] + coefficients[bend]
  }

  /// Returns the index of a column's coefficient.
  func index(of column: Column) -> Int? { names.firstIndex(of: column).map { $0 + 1 } }
}

/// Returns −10 log10 of a distance in metres, in which levels are linear.
func logDistance(_ metres: Double) -> Double { -10 * Double.log10(metres) }
