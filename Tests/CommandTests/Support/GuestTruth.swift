import Foundation
import TestSupport

/// Compares a trace with the scenario that was played, by a reading of both that shares nothing
/// with the program's: h5py for the one, a dozen lines of Python for the other.
///
/// - Parameters:
///   - extended: whether the scanner heard extended advertising.
///   - active: whether it asked for scan responses.
/// - Returns: what differs; empty where every advertisement is there, in order, with its level,
///   address and data.
func differences(
  _ trace: String, _ scenario: String, extended: Bool = true, active: Bool = false
) throws -> String {
  let script = """
    import sys, h5py
    trace, scenario, extended, active = sys.argv[1:5]
    sent = []
    for line in open(scenario):
        words = line.split('#')[0].split()
        if len(words) < 2: continue
        if words[1] == '!repeat':
            sent += sent[-1:] * int(words[2]); continue
        if words[1].startswith('!'): continue
        time, kind, type, address, rssi, data = words[:6]
        if kind == 'SCAN_RSP' and active == 'false': continue
        if kind.startswith('EXT') and extended == 'false': continue
        level = int(rssi)
        sent.append((address.upper() if address != '-' else '00:00:00:00:00:00',
                     None if level == 127 else level, data.upper() if data != '-' else ''))
    with h5py.File(trace) as f:
        s = f['sightings']
        addresses = [a.decode() for a in f['advertisers/address'][()]]
        begin, length = f['payloads/offset'][()], f['payloads/length'][()]
        data = f['payloads/data/bytes'][()].tobytes()
        def payload(i): return data[begin[i]:begin[i] + length[i]].hex().upper()
        heard = [(addresses[a], None if r != r else round(float(r)), payload(p))
                 for a, r, p in zip(s['advertiser'][()], s['rssi_dbm'][()], s['payload'][()])]
    if len(heard) != len(sent): print('sent', len(sent), 'heard', len(heard))
    for i, (a, b) in enumerate(zip(sent, heard)):
        if a != b: print('report', i, 'sent', a, 'heard', b)
    """
  let result = try runPython(script, [trace, scenario, "\(extended)", "\(active)"])
  return result.output + result.error
}

/// One of a trace's /gaps.
struct GapRow: Equatable {
  var reason: String
  var dropped: Int
  /// Seconds.
  var duration: Double
}

/// The gaps of a trace, read by h5py.
func gaps(of trace: String) throws -> [GapRow] {
  let script = """
    import sys, h5py
    g = h5py.File(sys.argv[1])['gaps']
    for reason, dropped, start, end in zip(g['reason'], g['dropped'], g['start_s'], g['end_s']):
        print(reason.decode(), int(dropped), float(end - start))
    """
  let result = try runPython(script, [trace])
  guard result.exitCode == 0 else { throw CocoaError(.fileReadCorruptFile) }
  return result.output.split(separator: "\n").map { line in
    let words = line.split(separator: " ")
    return GapRow(
      reason: String(words[0]), dropped: Int(words[1]) ?? -1, duration: Double(words[2]) ?? .nan)
  }
}

/// Returns the description of a trace's only receiver, read by h5py.
func receiver(of trace: String) throws -> String {
  let script = """
    import sys, h5py
    r = h5py.File(sys.argv[1])['receivers']
    for row in zip(*(r[c][()] for c in ['adapter', 'controller', 'scan', 'phys', 'time_kind'])):
        print(' | '.join(word.decode() for word in row))
    """
  let result = try runPython(script, [trace])
  return (result.output + result.error).trimmingCharacters(in: .newlines)
}
