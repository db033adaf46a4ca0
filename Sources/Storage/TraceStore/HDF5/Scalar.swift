internal import CHDF5

/// A number that a column can hold: its type in the file, little-endian, and in memory.
protocol Scalar: BitwiseCopyable, Equatable, Sendable {
  static var fileType: hid_t { get }
  static var memoryType: hid_t { get }
  static var zero: Self { get }
}

extension UInt8: Scalar {
  static var fileType: hid_t { chdf5_file_u8() }
  static var memoryType: hid_t { chdf5_native_u8() }
}
extension UInt16: Scalar {
  static var fileType: hid_t { chdf5_file_u16() }
  static var memoryType: hid_t { chdf5_native_u16() }
}
extension UInt32: Scalar {
  static var fileType: hid_t { chdf5_file_u32() }
  static var memoryType: hid_t { chdf5_native_u32() }
}
extension UInt64: Scalar {
  static var fileType: hid_t { chdf5_file_u64() }
  static var memoryType: hid_t { chdf5_native_u64() }
}
extension Int8: Scalar {
  static var fileType: hid_t { chdf5_file_i8() }
  static var memoryType: hid_t { chdf5_native_i8() }
}
extension Int64: Scalar {
  static var fileType: hid_t { chdf5_file_i64() }
  static var memoryType: hid_t { chdf5_native_i64() }
}
extension Float: Scalar {
  static var fileType: hid_t { chdf5_file_f32() }
  static var memoryType: hid_t { chdf5_native_f32() }
}
extension Double: Scalar {
  static var fileType: hid_t { chdf5_file_f64() }
  static var memoryType: hid_t { chdf5_native_f64() }
}
