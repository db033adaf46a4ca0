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

/// A walk of a quarter of an hour, for what has to go on while a test looks at it.
let longWalk = Result { () throws -> String in
  // Held to the end: the recording is there as long as the tests run.
  let folder = try longWalkFolder.get()
  let result = try rssi(
    "simulate", "--seed", "3", "--walks", "1", "--duration", "900", "-o", folder.path("room"))
  guard result.exitCode == 0 else {
    throw CocoaError(.featureUnsupported, userInfo: ["error": result.error])
  }
  return folder.path("room/walk-1.btsnoop")
}
private let longWalkFolder = Result { try TemporaryDirectory() }

/// How many sightings a trace has, also while it is written; 0 where it cannot be read.
func sightings(_ trace: String) throws -> Int {
  let result = try rssi("info", trace, "--json")
  return result.exitCode == 0 ? try json(result.output)["sightings"] as? Int ?? 0 : 0
}

/// A small room: recordings, nodes, truth and calibration readings in one folder.
func simulatedRoom(seed: Int = 3, in folder: TemporaryDirectory) throws -> String {
  let path = folder.path("room")
  let result = try rssi(
    "simulate", "--seed", "\(seed)", "--walks", "2", "--duration", "20", "-o", path)
  guard result.exitCode == 0 else {
    throw CocoaError(.featureUnsupported, userInfo: ["error": result.error])
  }
  return path
}
