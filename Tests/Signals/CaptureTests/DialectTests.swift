import Advertising
import Sightings
import Testing

@testable import Capture

private let second: Int64 = 1_000_000_000

@Suite struct DialectTests {
  @Test func `every dialect is recognised by its messages`() {
    for sample in GatewaySamples.all {
      var any = GatewayReadings()
      var one = GatewayReadings(dialect: sample.dialect)
      let told = any.read(sample)
      #expect(!told.isEmpty, "\(sample.dialect)")
      #expect(told == one.read(sample), "\(sample.dialect)")
      #expect(any.rejected == one.rejected)
    }
    #expect(Set(GatewaySamples.all.map(\.dialect)) == Set(Dialect.allCases))
  }

  @Test func `Ruuvi gives the time of reception`() {
    var readings = GatewayReadings()
    #expect(
      readings.read(GatewaySamples.ruuvi, arrival: 1_653_668_030 * second) == [
        GatewayReading(
          gateway: "C8:25:2D:8E:9C:2C",
          beacon: "F4:1F:0C:28:CB:D6 "
            + "0201061BFF99040515AE4C6DC6D7000CFFF803F4ADB6AD697FF41F0C28CBD6",
          rssi: -26, timeKind: .gatewaySeconds, time: 1_653_668_027 * second)
      ])
    var sample = GatewaySamples.ruuvi
    sample.text = #"{"gw_mac":"C8:25:2D:8E:9C:2C","rssi":-26,"cnt":"12","data":"020106"}"#
    #expect(
      readings.read(sample, arrival: 7) == [
        GatewayReading(
          gateway: "C8:25:2D:8E:9C:2C", beacon: "F4:1F:0C:28:CB:D6 020106", rssi: -26, time: 7)
      ])
  }

  @Test func `Minew has a row for each advertisement`() {
    var readings = GatewayReadings()
    let start = 1_564_638_865 * second
    let told = readings.read(GatewaySamples.minew, arrival: start + 5 * second)
    func row(_ beacon: String, _ rssi: Float, _ kind: Radio.TimeKind, _ time: Int64)
      -> GatewayReading
    {
      GatewayReading(
        gateway: "AC233FC001EA", beacon: beacon, rssi: rssi, timeKind: kind, time: time)
    }
    #expect(
      told == [
        row(
          "AC:23:3F:A0:32:08 0201060303E1FF0D16E1FFA10264000832A03F23AC", -79, .gatewayMilliseconds,
          start + 434_000_000),
        row("\(GatewaySamples.identity):100:1", -60, .gatewaySeconds, start + second),
        row("addr:AC:23:3F:A0:18:E3", -54, .gatewayMilliseconds, start + 1_250_000_000),
        row("addr:AC:23:3F:A0:18:E7", -39, .gatewaySeconds, start + second),
      ])
    guard case .name(_, let power) = readings.batch.entries[1].beacon else {
      Issue.record("an iBeacon row is a name")
      return
    }
    #expect(power == -59)
  }

  @Test func `Minew gateways with antenna arrays give the frequency`() {
    var readings = GatewayReadings()
    let time = 1_564_638_865 * second + 831_000_000
    func row(_ beacon: String, _ rssi: Float, _ channel: UInt8) -> GatewayReading {
      GatewayReading(
        gateway: "ac233fc09290", beacon: beacon, rssi: rssi, timeKind: .gatewayMilliseconds,
        time: time, channel: channel)
    }
    #expect(
      readings.read(GatewaySamples.minewAngles, arrival: time + second) == [
        row("AC:23:3F:A0:32:08 0201060303E1FF", -62, 37), row("addr:AC:23:3F:A0:18:E3", -58, 39),
      ])
    var sample = GatewaySamples.minewAngles
    for (frequency, channels) in [
      ("2403", []), ("2400", []), ("1e300", []), ("null", [255]), ("\"2402\"", [37]),
    ] as [(String, [UInt8])] {
      sample.text = """
        [{"gateway":"ac233fc09290"},{"mac":"AC233FA03208","rssi":-6,"aoa":{"frequency":\(frequency)}}]
        """
      let rows = readings.read(sample)
      #expect(rows.map(\.channel) == channels)
      #expect(readings.rejected == (rows.isEmpty ? ["bad-field"] : []))
    }
  }

  @Test func `anchors of u-blox write lines`() {
    var readings = GatewayReadings()
    let namespace = "eddystone-uid:4E494E412D4234544147:"
    func row(_ anchor: String, _ tag: String, _ rssi: Float, _ channel: UInt8) -> GatewayReading {
      GatewayReading(
        gateway: anchor, beacon: BeaconPattern(namespace + tag)?.identity?.description ?? "",
        rssi: rssi, time: 7, channel: channel)
    }
    let sample = GatewaySamples.uBlox
    #expect(
      readings.read(sample, arrival: 7) == [
        row("CCF9578E0D89", "CCF9578E0D8A", -42, 37), row("CCF9579B21AE", "6C1DEBA4241B", -65, 39),
      ])
    var serial = GatewayReadings(dialect: .uBlox)
    let text = "\r\n+STARTUP\r\n\r\n" + sample.text.replacing("\n", with: "\r\n") + "\r\nOK\r\n"
    #expect(serial.read(Array(text.utf8), topic: "").map(\.channel) == [37, 39])
    #expect(serial.rejected == ["no-sighting", "no-sighting"])
  }

  @Test func `angles of anchors are kept, and gateways with IQ samples have none`() {
    var readings = GatewayReadings()
    _ = readings.read(GatewaySamples.uBlox, arrival: 7)
    #expect(readings.batch.entries.map(\.angle.azimuthDeg) == [20, 26])
    #expect(readings.batch.entries.map(\.angle.elevationDeg) == [0, -65])
    _ = readings.read(GatewaySamples.minewAngles)
    #expect(readings.batch.entries.map(\.angle) == [Angle(), Angle()])
  }

  @Test(arguments: [
    ("CCF9578E0D8A,-42,20,91,-43,37,\"A\",\"\",1", "bad-field"),
    ("CCF9578E0D8,-42,20,0,-43,37,\"A\",\"\",1", "bad-address"),
    ("CCF9578E0D8G,-42,20,0,-43,37,\"A\",\"\",1", "bad-address"),
    ("CCF9578E0D8A,loud,20,0,-43,37,\"A\",\"\",1", "bad-rssi"),
    ("CCF9578E0D8A,-42,20,0,-43,40,\"A\",\"\",1", "bad-field"),
    ("CCF9578E0D8A,-42,20,0,-43,,\"A\",\"\",1", "bad-field"),
    ("CCF9578E0D8A,-42,20,0,-43", "bad-field"), ("", "bad-field"),
    ("CCF9578E0D8A,-42,20,0,-43,37,\"\",\"\",1", "missing-name"),
    ("CCF9578E0D8A,-42,20,0,-43,37,\"A\0\",\"\",1", "bad-name"),
  ])
  func `a damaged event is refused`(_ event: String, _ reason: String) {
    var readings = GatewayReadings()
    #expect(readings.read(Array("+UUDF:\(event)".utf8), topic: "").isEmpty)
    #expect(readings.rejected == [reason])
  }

  @Test func `Tasmota reports its losses`() {
    var readings = GatewayReadings()
    #expect(
      readings.read(GatewaySamples.tasmota, arrival: 7) == [
        GatewayReading(
          gateway: "kitchen",
          beacon: "00:1A:22:09:2C:9A 0C0943432D52542D4D2D424C450CFF0000000000000000000000",
          rssi: -70, time: 7)
      ])
    #expect(readings.rejected == ["lost-by-gateway"])
  }

  @Test func `a Tasmota beacon that is gone is not a sighting`() {
    var readings = GatewayReadings()
    var sample = GatewaySamples.tasmotaIBeacon
    #expect(
      readings.read(sample, arrival: 7) == [
        GatewayReading(
          gateway: "kitchen/IBEACON", beacon: "\(GatewaySamples.identity):100:10", rssi: -81,
          rssiKind: .last, time: 7)
      ])
    sample.text = #"{"IBEACON":{"MAC":"FFFFA0003B19","RSSI":0,"STATE":"OFF","PERSEC":10}}"#
    #expect(readings.read(sample).isEmpty)
    #expect(readings.rejected == ["gone"])
    sample.text = #"{"IBEACON":{"MAC":"FFFFA0003B19","RSSI":-50,"STATE":"ON"}}"#
    #expect(readings.read(sample).map(\.beacon) == ["addr:FF:FF:A0:00:3B:19"])
  }

  @Test func `fields become structures again`() throws {
    var readings = GatewayReadings()
    #expect(
      readings.read(GatewaySamples.openMQTTGateway, arrival: 1_664_898_950 * second) == [
        GatewayReading(
          gateway: "OMG_kitchen",
          beacon: "C6:C7:52:66:3C:BF 0EFF6909C6C752663CBF710F06924509163DFD69C0E4069245", rssi: -71,
          timeKind: .gatewaySeconds, time: 1_664_898_941 * second)
      ])
    guard
      case .data(let address, let range, let eventType, let isRebuilt) =
        readings.batch.entries[0].beacon
    else {
      Issue.record("manufacturer data are data")
      return
    }
    #expect(address.type == 1)
    #expect(eventType == 0x13)
    #expect(isRebuilt)
    // The structures add up: the walk that every other source goes through ends with the data.
    let payload = Array(readings.batch.bytes[range])
    let span = payload.span
    var structures = ADStructures()
    var types: [UInt8] = []
    while let structure = structures.next(in: span) { types.append(structure.type) }
    #expect(types == [0xFF, 0x16])
    #expect(structures.offset == payload.count)
  }

  @Test(arguments: [
    ("fd3d", "05163DFD0102"), ("0xfd3d", "05163DFD0102"), ("0000fd3d", "07203DFD00000102"),
    ("0000fd3d-0000-1000-8000-00805f9b34fb", "1321FB349B5F80000080001000003DFD00000102"),
  ])
  func `service data begin with their UUID`(_ uuid: String, _ structure: String) {
    var readings = GatewayReadings()
    var sample = GatewaySamples.openMQTTGateway
    sample.text =
      #"{"id":"C6:C7:52:66:3C:BF","rssi":-71,"servicedata":"0102","servicedatauuid":"\#(uuid)"}"#
    #expect(readings.read(sample).map(\.beacon) == ["C6:C7:52:66:3C:BF \(structure)"])
  }

  @Test func `content that the gateway decoded is a name`() {
    var readings = GatewayReadings()
    var sample = GatewaySamples.openMQTTGateway
    sample.text = """
      {"id":"C6:C7:52:66:3C:BF","rssi":-71,"mfid":"4c00","uuid":"\(GatewaySamples.uuidDigits)",
       "major":100,"minor":1,"txpower":-59}
      """
    #expect(readings.read(sample).map(\.beacon) == ["\(GatewaySamples.identity):100:1"])
    sample.text = #"{"id":"C6:C7:52:66:3C:BF","rssi":-71,"tempc":21.5,"txpower":12}"#
    #expect(readings.read(sample).map(\.beacon) == ["addr:C6:C7:52:66:3C:BF"])
  }

  @Test func `Theengs is an iBeacon like any other`() {
    var readings = GatewayReadings()
    #expect(
      readings.read(GatewaySamples.theengs, arrival: 7) == [
        GatewayReading(
          gateway: "TheengsGateway",
          beacon: "C6:C7:52:66:3C:BF " + GatewaySamples.iBeaconData.dropFirst(6).uppercased(),
          rssi: -72, time: 7)
      ])
  }

  @Test func `Shelly sends several at once`() {
    var readings = GatewayReadings()
    let arrival = 1_736_605_195 * second
    func row(_ beacon: String, _ rssi: Float) -> GatewayReading {
      GatewayReading(
        gateway: "shellyplus1-08b61fd9333c", beacon: beacon, rssi: rssi,
        timeKind: .gatewayMilliseconds, time: 1_736_605_194_110_000_000)
    }
    #expect(
      readings.read(GatewaySamples.shelly, arrival: arrival) == [
        row("AA:BB:CC:DD:EE:FF \(GatewaySamples.iBeaconData.uppercased())", -63),
        row("11:22:33:44:55:66 0309C3A9", -80),
      ])
    var first = GatewaySamples.shelly
    first.text = """
      {"src":"shellyplus1-08b61fd9333c","method":"NotifyEvent","params":{"ts":1736605194.11,"events":[
       {"event":"ble.scan_result","data":[1,"aa:bb:cc:dd:ee:ff",-63,"AgEG","AwnDqQ=="]}]}}
      """
    #expect(readings.read(first, arrival: arrival) == [row("AA:BB:CC:DD:EE:FF 020106", -63)])
  }

  @Test(arguments: [
    ("iBeacon:\(GatewaySamples.uuid)-100-1", "\(GatewaySamples.identity):100:1"),
    ("244b03d72780", "addr:24:4B:03:D7:27:80"), ("known:244b03d72780", "addr:24:4B:03:D7:27:80"),
    (
      "eddy:00112233445566778899-0a0b0c0d0e0f",
      "eddystone-uid:00112233445566778899:0A0B0C0D0E0F"
    ),
    ("apple:1006:10-12", "apple:1006:10-12"), ("irk:00ff", "irk:00ff"),
    ("iBeacon:broken", "iBeacon:broken"),
  ])
  func `ESPresense names beacons`(_ id: String, _ beacon: String) {
    var readings = GatewayReadings()
    let text = #"{"mac":"244b03d72780","id":"\#(id)","rssi@1m":-71,"rssi":-82.5,"distance":2.66}"#
    #expect(
      readings.read(Array(text.utf8), topic: "espresense/devices/\(id)/kitchen", arrival: 7) == [
        GatewayReading(
          gateway: "kitchen", beacon: beacon, rssi: -82.5, rssiKind: .filtered, time: 7)
      ])
  }

  /// On its own topic; anywhere else a message of `id` and `rssi` may be anything.
  @Test func `ESPresense needs no power at one metre`() {
    var readings = GatewayReadings()
    let text = Array(#"{"id":"244b03d72780","rssi":-82.5}"#.utf8)
    #expect(
      readings.read(text, topic: "espresense/devices/244b03d72780/kitchen", arrival: 7) == [
        GatewayReading(
          gateway: "kitchen", beacon: "addr:24:4B:03:D7:27:80", rssi: -82.5, rssiKind: .filtered,
          time: 7)
      ])
    for topic in ["home/devices/244b03d72780/kitchen", "espresense/devices/kitchen", "espresense"] {
      #expect(readings.read(text, topic: topic).isEmpty, "\(topic)")
    }
    #expect(readings.rejected == ["unknown-dialect"])
  }

  @Test func `old ESPresense is unfiltered`() {
    var readings = GatewayReadings()
    let text = """
      {"id":"244b03d72780","idType":55,"rssi@1m":-71,"rssi":-84,"raw":2.35,"distance":2.25,
       "speed":0.02,"mac":"244b03d72780","interval":615}
      """
    #expect(
      readings.read(Array(text.utf8), topic: "espresense/rooms/bath") == [
        GatewayReading(
          gateway: "bath", beacon: "addr:24:4B:03:D7:27:80", rssi: -84, rssiKind: .last, time: 0)
      ])
  }

  @Test func `room assistant is several receivers and repeats itself`() throws {
    var readings = GatewayReadings()
    let arrival = try #require(Timestamp.parse(iso8601: "2021-07-20T10:00:00Z"))
    func row(_ gateway: String, _ rssi: Float, _ time: String) throws -> GatewayReading {
      GatewayReading(
        gateway: gateway, beacon: "\(GatewaySamples.identity):100:1", rssi: rssi,
        rssiKind: .filtered, timeKind: .gatewayMilliseconds,
        time: try #require(Timestamp.parse(iso8601: time)))
    }
    let kitchen = try row("kitchen", -61.25, "2021-07-20T09:59:14.347000Z")
    let bath = try row("bath", -80.5, "2021-07-20T09:59:49.733000Z")
    #expect(readings.read(GatewaySamples.roomAssistant, arrival: arrival) == [kitchen, bath])
    #expect(readings.rejected == ["gone"])
    #expect(readings.read(GatewaySamples.roomAssistant, arrival: arrival).isEmpty)
    var later = GatewaySamples.roomAssistant
    later.text.replace(
      #""kitchen":{"lastUpdatedAt":"2021-07-20T09:59:14"#,
      with: #""kitchen":{"lastUpdatedAt":"2021-07-20T09:59:15"#)
    #expect(
      readings.read(later, arrival: arrival) == [
        try row("kitchen", -61.25, "2021-07-20T09:59:15.347000Z")
      ])
  }
}
