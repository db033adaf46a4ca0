import ArgumentParser
import TracePipelines

/// What is known of the place.
struct PlaceOptions: ParsableArguments {
  @OptionGroup var place: SiteOptions

  @Option(
    help: ArgumentHelp(
      "CSV file of beacons and receivers, with positions of the fixed ones that are missing from the traces.",
      valueName: "file"), completion: .file())
  var nodes: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Height of the nodes in metres, with 2 dimensions (default: the median of the anchors).",
      valueName: "metres"))
  var height: Double?

  @Option(
    help: ArgumentHelp(
      "Trace with truth that algorithms learn the site from; repeatable.", valueName: "file"),
    completion: .file())
  var survey: [String] = []

  @Option(
    help: ArgumentHelp(
      "Radio map written by `rssi map`, instead of --survey; it holds a calibration.",
      valueName: "file"), completion: .file())
  var radioMap: String?

  var site: String? { place.site }

  /// Fills in a request.
  ///
  /// - Throws: `RSSIError` for a number of dimensions that does not exist.
  func apply(to request: inout LocateRequest) throws {
    request.site = place.site
    request.nodes = nodes
    request.bounds = place.bounds
    request.dimensions = try place.shape()
    request.height = height
    request.survey = survey
    request.radioMap = radioMap
  }
}
