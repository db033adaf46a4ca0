/// The figures of a score under the names of ISO/IEC 18305:2016, "Test and evaluation of
/// localization and tracking systems", clause 8.
public struct ISO18305: Equatable, Sendable {
  /// One figure.
  public struct Figure: Equatable, Sendable {
    /// The standard's name.
    public var name: String
    /// What this toolkit calls it.
    public var ourName: String
    /// Empty for numbers without a unit.
    public var unit: String
    /// Nil where it does not apply, or nothing was answered.
    public var value: Double?
  }

  /// In the order of the standard.
  public var figures: [Figure]
}
