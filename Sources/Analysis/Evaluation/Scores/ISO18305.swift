/// The figures of a score under the names of ISO/IEC 18305:2016, "Test and evaluation of
/// localization and tracking systems", clause 8.
package struct ISO18305: Equatable, Sendable {
  /// One figure.
  package struct Figure: Equatable, Sendable {
    /// The standard's name.
    package var name: String
    /// What this toolkit calls it.
    package var ourName: String
    /// Empty for numbers without a unit.
    package var unit: String
    /// Nil where it does not apply, or nothing was answered.
    package var value: Double?
  }

  /// In the order of the standard.
  package var figures: [Figure]
}
