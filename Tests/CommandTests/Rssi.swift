import Foundation
import TestSupport

/// Runs the built program as a user would.
func rssi(_ arguments: String..., input: String = "") throws -> ProgramResult {
  try runProgram(builtProgram, arguments, input: Data(input.utf8))
}

/// A JSON document as dictionaries and arrays.
func json(_ text: String) throws -> [String: Any] {
  let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
  guard let object = value as? [String: Any] else { throw CocoaError(.coderReadCorrupt) }
  return object
}

/// A small room: recordings, nodes, truth and calibration readings in one folder.
func simulatedRoom(seed: Int = 3, in folder: TemporaryDirectory) throws -> String {
  let path = folder.path("room")
  let result = try rssi(
    "simulate", "--seed", "\(seed)", "--walks", "2", "--duration", "20", "-o", path)
  guard result.exitCode == 0 else { throw CocoaError(.featureUnsupported, userInfo: ["error": result.error]) }
  return path
}
