extension Diagnostic {
  /// Readings whose distances alternate, so that hardly any two belong to one stay: errors then
  /// take each as independent. Happens to tables that are not in order of time.
  static func splitStays(_ stations: [Station]) -> Diagnostic? {
    let stays = stations.filter { $0.span != nil }
    let single = stays.count { $0.samples == 1 }
    struct Place: Hashable {
      var beacon: String
      var receiver: String
      var series: String
      var distance: Double
    }
    let places = Set(
      stays.map {
        Place(beacon: $0.beacon, receiver: $0.receiver, series: $0.series, distance: $0.distance)
      })
    guard stays.count >= 30, single * 2 > stays.count, places.count * 4 < stays.count else {
      return nil
    }
    return Diagnostic(
      "split-stays",
      "\(stays.count) stays at \(places.count) distances, most of one reading: the table is not in "
        + "order of time, and errors take each reading as independent; sort it by time",
      value: Double(stays.count))
  }
}
