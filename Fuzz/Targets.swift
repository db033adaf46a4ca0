import Advertising
import Recordings
import Sightings

/// The parsers of foreign input, by the names in `scripts/hostile/fuzz`.
///
/// A new one needs a line here, and its first inputs in scripts/hostile/fuzz_seeds.py.
nonisolated(unsafe) let targets: [String: ([UInt8]) -> Void] = [
  "hci": { input in
    // Events one after the other, so that fragments are joined.
    var decoder = HCIEventDecoder()
    var builder = TraceBuilder(into: Discard(), blockRows: 16)
    for (number, event) in pieces(of: input).enumerated() {
      must { try decoder.decode(event.span, time: Int64(number) << 36, into: &builder) }
    }
    must { try decoder.flush(into: &builder) }
    must { _ = try builder.complete() }
  },
  "linklayer": readLinkLayer,
  "btsnoop": { input in
    may {
      var reader = try BTSnoopReader(path: file(input))
      var builder = TraceBuilder(into: Discard(), blockRows: 16)
      _ = try reader.decode(into: &builder)
      _ = try builder.complete()
    }
  },
  "pcap": { input in
    _ = PcapReader.recognizes(input)
    may {
      var reader = try PcapReader(path: file(input))
      var builder = TraceBuilder(into: Discard(), blockRows: 16)
      _ = try reader.decode(into: &builder)
      _ = try builder.complete()
    }
  },
  "packetlogger": { input in
    may {
      _ = try PacketLoggerReader.recognizes(path: file(input))
      var reader = try PacketLoggerReader(path: file(input))
      var builder = TraceBuilder(into: Discard(), blockRows: 16)
      _ = try reader.decode(into: &builder)
      _ = try builder.complete()
    }
  },
  "packed": { input in
    may { _ = try contentHead(of: file(input), atMost: 512) }
  },
  "btsnooz": { input in
    _ = BTSnooz.recording(of: input)
    guard let version = input.first else { return }
    may {
      let log = BTSnooz.recording(of: Array(input.dropFirst()), version: version, last: 1 << 50)
      var reader = try BTSnoopReader(path: file(log))
      var builder = TraceBuilder(into: Discard(), blockRows: 16)
      _ = try reader.decode(into: &builder)
      _ = try builder.complete()
    }
  },
  "frame": { input in
    let frame = BeaconFrame(payload: input.span)
    _ = BeaconIdentity(frame, address: DeviceAddress(bits: 1, type: 0)).description
    let again = frame.advertisingData
    guard frame != .other else { return }
    precondition(BeaconFrame(payload: again.span) == frame, "a frame changes when it is encoded")
  },
  "csv": { input in
    may {
      var builder = TraceBuilder(into: Discard(), blockRows: 16)
      _ = try SightingCSV.read(file(input), into: &builder)
      _ = try builder.complete()
    }
  },
  "ndjson": { input in
    may {
      var builder = TraceBuilder(into: Discard(), blockRows: 16)
      var stream = try SightingStream(path: file(input), trace: "fuzz")
      while try stream.next(into: &builder) {}
      _ = try builder.complete()
    }
  },
  "json": { input in
    may {
      var builder = TraceBuilder(into: Discard(), blockRows: 16)
      try SightingJSON.read(file(input), into: &builder)
      _ = try builder.complete()
    }
  },
  "tshark": { readLog($0, [.tsharkFields, .tsharkJSON, .tsharkLines]) },
  "uudf": { readLog($0, [.uBlox]) },
  "esphome": { readLog($0, [.esphome]) },
  "btmontext": { readLog($0, [.btmon]) },
  "phone": { readLog($0, [.xyz10, .getSensorData, .sensorTable, .sensorJSON, .wigle, .herald]) },
  "companion": { readLog($0, [.companion]) },
  "nodes": { input in
    may {
      var builder = TraceBuilder(into: Discard(), blockRows: 16)
      try NodeCSV.read(file(input), into: &builder)
    }
  },
  "truth": { input in
    may {
      var builder = TraceBuilder(into: Discard(), blockRows: 16)
      _ = try builder.add("phone", role: .receiver)
      _ = try builder.add("tag", role: .beacon)
      try TruthCSV.read(file(input), into: &builder)
    }
  },
  "h4": readH4,
  "btmonitor": readMonitor,
  "gateway": readGateway,
  "pattern": readTexts,
  "registry": readRegistry,
]
