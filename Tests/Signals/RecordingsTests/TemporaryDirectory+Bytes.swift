import Foundation
import TestSupport

extension TemporaryDirectory {
  /// Writes bytes that need not be text and returns the file's path.
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(name)))
    return path(name)
  }
}
