import Foundation
import Synchronization
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
    "simulate", "--model", "simple", "--seed", "3", "--walks", "1", "--duration", "900", "-o",
    folder.path("room"))
  guard result.exitCode == 0 else {
    throw CocoaError(.featureUnsupported, userInfo: ["error": result.error])
  }
  return folder.path("room/walk-1.btsnoop")
}
private let longWalkFolder = Result { try TemporaryDirectory() }

/// Returns the number of sightings of a trace, also while it is written; 0 if it cannot be read.
func sightings(_ trace: String) throws -> Int {
  let result = try rssi("info", trace, "--json")
  return result.exitCode == 0 ? try json(result.output)["sightings"] as? Int ?? 0 : 0
}

/// A small room: recordings, nodes, truth and calibration readings in one folder.
func simulatedRoom(seed: Int = 3, in folder: TemporaryDirectory) throws -> String {
  try copyPrepared("room of seed \(seed)", to: folder) { folder in
    let result = try rssi(
      "simulate", "--model", "simple", "--seed", "\(seed)", "--walks", "2", "--duration", "20",
      "-o",
      folder.path("room"))
    guard result.exitCode == 0 else {
      throw CocoaError(.featureUnsupported, userInfo: ["error": result.error])
    }
  }
  return folder.path("room")
}

/// Copies files that several tests start from, and makes them for the first of these tests.
///
/// - Parameter name: identifies the files.
func copyPrepared(
  _ name: String, to folder: TemporaryDirectory, make: (TemporaryDirectory) throws -> Void
) throws {
  let prepared = try preparedFolders.withLock { folders in
    if let folder = folders[name] { return folder }
    let folder = try TemporaryDirectory()
    try make(folder)
    folders[name] = folder
    return folder
  }
  for name in try prepared.names() {
    try FileManager.default.copyItem(atPath: prepared.path(name), toPath: folder.path(name))
  }
}
private let preparedFolders = Mutex<[String: TemporaryDirectory]>([:])
