/// Returns the clause of a message that suggests the nearest name for an unknown one; empty if none
/// is near.
package func didYouMean(_ name: String, among names: [String]) -> String {
  nearestName(to: name, among: names).map { " (did you mean \"\($0)\"?)" } ?? ""
}

/// Returns the probable intended name for an unknown one: it differs in at most three letters, and
/// at most half of them, ignoring case.
package func nearestName(to name: String, among names: [String]) -> String? {
  let limit = min(3, name.count / 2)
  return names.map { (name: $0, distance: editDistance(name.lowercased(), $0.lowercased())) }
    .filter { $0.distance <= limit }
    .min { $0.distance < $1.distance }?.name
}

/// Returns the number of letters to insert, remove, replace or exchange with their neighbour
/// (optimal string alignment).
package func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a), Array(b))
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
