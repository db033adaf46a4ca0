/// Returns whether two numbers agree within an absolute or a relative tolerance; NaN agrees with
/// nothing.
public func isClose(
  _ a: Double, _ b: Double, absolute: Double = 0, relative: Double = 1e-12
) -> Bool {
  a == b || abs(a - b) <= max(absolute, relative * max(abs(a), abs(b)))
}
