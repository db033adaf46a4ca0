import Foundation
import Inputs
import PathLoss
import Support
import TraceStore

extension Calibration {
  /// Reads a calibration file, or the calibration that a trace holds.
  ///
  /// - Throws: a `RSSIError` that says what is wrong with it.
  init(path: String) throws {
    guard let data = try document(of: path),
      let head = try? JSONDecoder().decode(Head.self, from: data), head.format == "rssi-calibration"
    else {
      throw RSSIError(
        .badInput, "\(path) is not a calibration file: write one with `rssi fit -o`")
    }
    guard head.format_version == 1 else {
      throw RSSIError(
        .badInput,
        "\(path) is a calibration of format \(head.format_version), this rssi reads format 1: "
          + "update rssi"
      )
    }
    do {
      self = try JSONDecoder().decode(Calibration.self, from: data)
    } catch {
      throw RSSIError(
        .badInput, "\(path) is a damaged calibration (\(words(error))): fit it again")
    }
  }

  private struct Head: Decodable {
    var format: String
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var format_version: Int
  }
}

/// The JSON of a calibration; nil where a file is of another kind.
private func document(of path: String) throws -> Data? {
  switch try InputKind(path: path) {
  case .stream: return FileManager.default.contents(atPath: path)
  case .trace:
    guard let stored = try TraceReader(path: path).calibration() else {
      throw RSSIError(
        .badInput,
        "\(path) is a trace that holds no calibration: write one into it with `rssi fit -o \(path)`"
      )
    }
    return Data(stored.document)
  default: return nil
  }
}

/// What a decoder says is wrong, and where.
private func words(_ error: any Error) -> String {
  guard let error = error as? DecodingError else { return "\(error)" }
  let context: DecodingError.Context? =
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  let place = context?.codingPath.map(\.stringValue).joined(separator: "/") ?? ""
  return place.isEmpty
    ? context?.debugDescription ?? "\(error)" : "\(place): \(context?.debugDescription ?? "")"
}
