internal import Sightings

/// The dropped messages of a spool, by receiver, until a message reports them.
///
/// The losses and counts within dropped messages are kept too. Memory grows with the number of
/// receivers only.
struct SpoolLosses {
  private struct Account {
    var radio: Radio
    var losses: [Gap.Reason: Loss] = [:]
    var rejected: [String: UInt64] = [:]

    mutating func add(_ loss: Loss) {
      guard var sum = losses[loss.reason] else {
        losses[loss.reason] = loss
        return
      }
      (sum.start, sum.end) = (min(sum.start, loss.start), max(sum.end, loss.end))
      sum.dropped += loss.dropped
      losses[loss.reason] = sum
    }
  }

  /// The total number of dropped reports.
  private(set) var reports = 0
  private var accounts: [String: Account] = [:]
  /// A Boolean value that is true if messages reported everything.
  var isEmpty: Bool { accounts.isEmpty }
  private var reader = GatewayReader(dialect: .rssi)
  private var batch = GatewayBatch()

  /// Adds the content of a dropped message.
  mutating func add(_ message: [UInt8], reason: Gap.Reason) {
    reader.read(BrokerMessage(topic: [], payload: message, arrival: 0), into: &batch)
    guard let reported = batch.account else { return }
    let name = String(decoding: batch.bytes[reported.gateway], as: UTF8.self)
    var account = accounts[name] ?? Account(radio: reported.radio)
    account.radio = reported.radio
    for loss in reported.losses { account.add(loss) }
    for row in reported.rejected { account.rejected[row.reason, default: 0] += row.count }
    let times = batch.entries.map(\.time)
    if let first = times.min(), let last = times.max() {
      reports += times.count
      account.add(
        Loss(
          adapter: 0, reason: reason, start: first, end: last, dropped: UInt64(times.count)))
    }
    accounts[name] = account
  }

  /// Adds unreadable records, between two messages or after the last one.
  mutating func add(damaged count: UInt64, from first: [UInt8], to last: [UInt8]) {
    var times: [Int64] = []
    var radios: [(name: String, radio: Radio)] = []
    for (message, isFirst) in [(first, true), (last, false)] {
      reader.read(BrokerMessage(topic: [], payload: message, arrival: 0), into: &batch)
      guard let account = batch.account else { continue }
      radios.append((String(decoding: batch.bytes[account.gateway], as: UTF8.self), account.radio))
      let own = batch.entries.map(\.time)
      times += [isFirst ? own.max() : own.min()].compactMap(\.self)
    }
    for (number, (name, radio)) in radios.enumerated() where number == 0 || name != radios[0].name {
      var account = accounts[name] ?? Account(radio: radio)
      if let start = times.min(), let end = times.max() {
        account.add(Loss(adapter: 0, reason: .disconnected, start: start, end: end))
      }
      if number == 0 { account.rejected["damaged-in-spool", default: 0] += count }
      accounts[name] = account
    }
  }

  /// Returns the messages that report the losses, in the order of the receivers' names.
  mutating func take() -> [RSSIMessage] {
    defer { accounts = [:] }
    return accounts.sorted { $0.key < $1.key }.map { name, account in
      var message = RSSIMessage(receiver: name, radio: account.radio)
      message.losses = account.losses.values.sorted { $0.start < $1.start }
      message.rejected = account.rejected.sorted { $0.key < $1.key }
        .map { Rejected(reason: $0.key, count: $0.value) }
      return message
    }
  }
}
