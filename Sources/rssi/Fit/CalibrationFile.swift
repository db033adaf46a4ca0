import Foundation
import PathLoss

extension Calibration {
  /// Reads a calibration file.
  ///
  /// - Throws: a `Failure` that says what is wrong with it.
  init(path: String) throws {
    guard try InputKind(path: path) == .stream,
      let data = FileManager.default.contents(atPath: path),
      let head = try? JSONDecoder().decode(Head.self, from: data), head.format == "rssi-calibration"
    else {
      throw Failure(Failure.badInput, "\(path) is not a calibration file: write one with `rssi fit -o`")
    }
    guard head.format_version == 1 else {
      throw Failure(
        Failure.badInput,
        "\(path) is a calibration of format \(head.format_version), this rssi reads format 1: update rssi")
    }
    do {
      self = try JSONDecoder().decode(Calibration.self, from: data)
    } catch {
      throw Failure(Failure.badInput, "\(path) is a damaged calibration (\(words(error))): fit it again")
    }
  }

  private struct Head: Decodable {
    var format: String
    var format_version: Int
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
  return place.isEmpty ? context?.debugDescription ?? "\(error)" : "\(place): \(context?.debugDescription ?? "")"
}
