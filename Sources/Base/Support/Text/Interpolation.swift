// Debug builds have the names, and tests print values of all kinds.
#if !DEBUG
  extension DefaultStringInterpolation {
    /// Refuses, by a warning that is an error, a value without a description of its own: the program
    /// has no names of its cases and fields (see `unreflected` in Package.swift).
    @available(*, deprecated, message: "interpolate a description, a raw value or text(of:)")
    package mutating func appendInterpolation<Value>(_ value: Value) {
      appendLiteral(String(describing: value))
    }
  }
#endif
