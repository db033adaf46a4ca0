package import NumericalMethods
package import Support

extension JSONValue {
  /// A confidence interval as an array of two, null where there is none.
  package static func optional(_ interval: Interval?) -> JSONValue {
    interval.map { .array([.optional($0.lower), .optional($0.upper)]) } ?? .null
  }
}
