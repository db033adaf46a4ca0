import RealModule

/// The columns of a linear model, station by station.
struct Design {
  /// What the coefficients after the first are of.
  enum Column: Equatable {
    /// −10 log10 of the distance.
    case exponent
    /// The same beyond a breakpoint: its coefficient is what the exponent changes by there.
    case bend
    /// 1 beyond a breakpoint: how predictions move with the breakpoint, for errors that allow for
    /// its own.
    case shift
    /// Walls of a kind, each taking its attenuation off.
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
    // A kind that no station is behind has no loss to fit.
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
  /// - Parameter rows: by station.
  mutating func add(_ rows: [[Double]], of name: Column) {
    names += repeatElement(name, count: rows.first?.count ?? 0)
    for index in columns.indices { columns[index] += rows[index] }
  }

  /// Coefficients, that of the first column included.
  var parameters: Int { names.count + 1 }

  /// The same with the column of the breakpoint's own uncertainty (Muggeo 2003, equation 4), whose
  /// coefficient is 0 at the best breakpoint.
  func allowingForBreakpoint(at breakpoint: Double, _ stations: [Station]) -> Design {
    var design = self
    design.names.append(.shift)
    for index in columns.indices {
      design.columns[index].append(stations[index].distance > breakpoint ? 1 : 0)
    }
    return design
  }

  func observations(_ stations: [Station]) -> Observations {
    Observations(stations, columns: columns, offset: offset)
  }

  /// The exponent of coefficients that are not centred.
  func exponent(_ coefficients: [Double]) -> Double? {
    fixedExponent ?? names.firstIndex(of: .exponent).map { coefficients[$0 + 1] }
  }

  /// The exponent beyond the breakpoint; nil where there is none.
  func farExponent(_ coefficients: [Double]) -> Double? {
    guard let near = index(of: .exponent), let bend = index(of: .bend) else { return nil }
    return coefficients[near] + coefficients[bend]
  }

  /// Which coefficient a column's is.
  func index(of column: Column) -> Int? { names.firstIndex(of: column).map { $0 + 1 } }
}

/// −10 log10 of a distance in metres, in which levels are a straight line.
func logDistance(_ metres: Double) -> Double { -10 * Double.log10(metres) }
