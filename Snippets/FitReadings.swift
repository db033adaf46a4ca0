// Fit path-loss constants to a table of readings at known distances.

import RSSIKit

// snippet.hide
guard CommandLine.arguments.count > 1 else { fatalError("usage: FitReadings TABLE") }
// snippet.show
var request = FitRequest()
request.inputs = [CommandLine.arguments[1]]
let fit = try FitStage(request).run()
let constants = fit.calibration.pooled
print(constants.measuredPower as Any, constants.powerInterval as Any)
print(constants.exponent as Any, constants.exponentInterval as Any)
// snippet.end
