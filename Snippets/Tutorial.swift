// The program of docs/tutorial-swift.md: path loss from a table of readings.

// snippet.show
import Foundation
import RSSIKit

var request = FitRequest()
request.inputs = ["distances.csv"]
let constants = try FitStage(request).run().calibration.pooled
guard let exponent = constants.exponent, let interval = constants.exponentInterval else {
  fatalError("not determined: \(constants.warnings)")
}
print(
  String(
    format: "exponent %.2f, 95 %% interval %.2f to %.2f", exponent, interval.lower, interval.upper))
// snippet.end
