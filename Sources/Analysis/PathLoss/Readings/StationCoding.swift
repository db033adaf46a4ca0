extension Station: Codable {
  private enum Keys: String, CodingKey {
    case beacon, receiver, series, position, pose, walk, walls, counts, channels, weights,
      succession, visit
    case cell = "cell_m"
    case distance = "distance_m"
    case knownLoss = "known_wall_loss_db"
    case span = "span_ns"
    case levels = "levels_dbm"
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    func fault(_ key: Keys, _ words: String) -> DecodingError {
      DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: words)
    }
    let position = try values.decode(String.self, forKey: .position)
    guard let number = UInt64(position, radix: 16) else {
      throw fault(.position, "expected a hexadecimal number, found \"\(position)\"")
    }
    let distance = try values.decode(Double.self, forKey: .distance)
    guard distance > 1e-9, distance < 1e9 else {
      throw fault(.distance, "a distance must be between 1e-9 and 1e9 m")
    }
    let levels = try values.decode([Double].self, forKey: .levels)
    let counts = try values.decode([Int].self, forKey: .counts)
    // An empty list is an absent one, in which no level has a channel or a weight.
    func optional<Value: Decodable>(_ key: Keys) throws -> [Value]? {
      let list = try values.decodeIfPresent([Value].self, forKey: key)
      return list?.isEmpty == true ? nil : list
    }
    let channels: [UInt8]? = try optional(.channels)
    let weights: [Double]? = try optional(.weights)
    guard counts.count == levels.count, channels.map(\.count) ?? levels.count == levels.count,
      weights.map(\.count) ?? levels.count == levels.count
    else { throw fault(.counts, "counts, channels and weights must be as many as levels") }
    let visit = try values.decodeIfPresent(Visit.self, forKey: .visit)
    if let visit {
      guard visit.seconds >= 0, visit.seconds < 1e9, (1...1 << 32).contains(visit.stretches),
        (visit.scanPeriod ?? 1) > 1e-6
      else { throw fault(.visit, "a visit must have a duration and at least one stretch") }
    }
    // With these bounds no sum of them overflows.
    guard !levels.isEmpty || visit != nil, levels.count < 1 << 24,
      counts.allSatisfy({ $0 > 0 && $0 < 1 << 32 }),
      levels.allSatisfy({ $0 >= -1000 && $0 <= 20 }),
      (weights ?? []).allSatisfy({ $0 > 1e-30 && $0 < 1e30 })
    else { throw fault(.counts, "counts and weights must be above 0, levels at most 20 dBm") }
    self.init(
      beacon: try values.decode(String.self, forKey: .beacon),
      receiver: try values.decode(String.self, forKey: .receiver),
      series: try values.decode(String.self, forKey: .series), position: number,
      distance: distance)
    if let numbers = try values.decodeIfPresent([Int32].self, forKey: .cell) {
      guard numbers.count == 3 else { throw fault(.cell, "a cell must be [x, y, z]") }
      cell = SIMD3(numbers[0], numbers[1], numbers[2])
    }
    pose = try values.decodeIfPresent(String.self, forKey: .pose) ?? ""
    walk = try values.decodeIfPresent(WalkedDistance.self, forKey: .walk)
    walls = try values.decodeIfPresent([String: Int].self, forKey: .walls)
    guard (walls ?? [:]).values.allSatisfy({ (0..<1 << 32).contains($0) }) else {
      throw fault(.walls, "numbers of walls must be at least 0")
    }
    knownLoss = try values.decodeIfPresent(Double.self, forKey: .knownLoss) ?? 0
    guard abs(knownLoss) < 1e6 else { throw fault(.knownLoss, "a loss must be below 1e6 dB") }
    if let span = try values.decodeIfPresent([Int64].self, forKey: .span) {
      guard span.count == 2, span[0] <= span[1], span[0] > .min / 2, span[1] < .max / 2 else {
        throw fault(.span, "a span must be [start, end]")
      }
      self.span = span[0]...span[1]
    }
    self.visit = visit
    self.levels = LevelCount.merged(
      levels.indices.map {
        LevelCount(
          level: levels[$0], channel: channels?[$0] ?? 255, count: counts[$0], weight: weights?[$0])
      })
    if let sums = try values.decodeIfPresent([Double].self, forKey: .succession) {
      guard sums.count == 4 || sums.count == 5 && sums[4] >= 0,
        sums.allSatisfy({ abs($0) < 0x1p60 }), sums[0] >= 0, sums[0] <= Double(samples)
      else {
        throw fault(
          .succession,
          "a succession must be [pairs, earlier, later, products, squared differences], with no "
            + "more pairs than readings")
      }
      succession.pairs = Int(sums[0])
      succession.earlier = sums[1]
      succession.later = sums[2]
      succession.products = sums[3]
      succession.squaredDifferences = sums.count == 5 ? sums[4] : nil
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(beacon, forKey: .beacon)
    try values.encode(receiver, forKey: .receiver)
    try values.encode(series, forKey: .series)
    try values.encode(String(position, radix: 16), forKey: .position)
    if let cell { try values.encode([cell.x, cell.y, cell.z], forKey: .cell) }
    if !pose.isEmpty { try values.encode(pose, forKey: .pose) }
    try values.encode(distance, forKey: .distance)
    try values.encodeIfPresent(walk, forKey: .walk)
    try values.encodeIfPresent(walls, forKey: .walls)
    if knownLoss != 0 { try values.encode(knownLoss, forKey: .knownLoss) }
    if let span { try values.encode([span.lowerBound, span.upperBound], forKey: .span) }
    try values.encodeIfPresent(visit, forKey: .visit)
    try values.encode(levels.map(\.level), forKey: .levels)
    try values.encode(levels.map(\.count), forKey: .counts)
    if levels.contains(where: { $0.channel != 255 }) {
      try values.encode(levels.map(\.channel), forKey: .channels)
    }
    if levels.contains(where: { $0.weight != Double($0.count) }) {
      try values.encode(levels.map(\.weight), forKey: .weights)
    }
    if succession.pairs > 0 {
      try values.encode(
        [Double(succession.pairs), succession.earlier, succession.later, succession.products]
          + [succession.squaredDifferences].compactMap(\.self),
        forKey: .succession)
    }
  }
}
