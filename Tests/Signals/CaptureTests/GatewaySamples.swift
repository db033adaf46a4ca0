@testable import Capture

/// Messages as the gateways' documentation and users show them.
enum GatewaySamples {
  struct Sample {
    var dialect: Dialect
    var topic: String
    var text: String
  }

  static let uuid = "fda50693-a4e2-4fb1-afcf-c6eb07647825"
  static let uuidDigits = "fda50693a4e24fb1afcfc6eb07647825"
  /// The same in the words of the program.
  static let identity = "ibeacon:FDA50693-A4E2-4FB1-AFCF-C6EB07647825"
  /// Flags and an iBeacon of that UUID, 100, 1, -59 dBm.
  static let iBeaconData = "0201061AFF4C000215\(uuidDigits)00640001C5"

  static let ruuvi = Sample(
    dialect: .ruuvi, topic: "ruuvi/C8:25:2D:8E:9C:2C/F4:1F:0C:28:CB:D6",
    text: """
      {"gw_mac":"C8:25:2D:8E:9C:2C","rssi":-26,"aoa":[],"gwts":"1653668028","ts":"1653668027",
       "data":"0201061BFF99040515AE4C6DC6D7000CFFF803F4ADB6AD697FF41F0C28CBD6","coords":""}
      """)
  static let minew = Sample(
    dialect: .minew, topic: "/gw/ac233fc001ea/status",
    text: """
      [{"timestamp":"2019-08-01T05:54:25Z","type":"Gateway","mac":"AC233FC001EA","gatewayFree":98,
        "gatewayLoad":0.05},
       {"timestamp":"2019-08-01T05:54:25.434Z","type":"Unknown","mac":"AC233FA03208","bleName":"",
        "rssi":-79,"rawData":"0201060303E1FF0D16E1FFA10264000832A03F23AC"},
       {"timestamp":1564638866,"type":"iBeacon","mac":"AC233FA018E3","bleName":"","rssi":-60,
        "ibeaconUuid":"\(uuidDigits)","ibeaconMajor":100,"ibeaconMinor":1,"ibeaconTxPower":-59,
        "battery":90},
       {"timestamp":1564638866250,"type":"S1","mac":"AC233FA018E3","bleName":"S1","rssi":-54,
        "battery":100,"temperature":26.69,"humidity":65.14},
       {"timestamp":"2019-08-01T05:54:26Z","type":"Unknown","mac":"AC233FA018E7","bleName":"",
        "rssi":-39,"rawData":""}]
      """)
  static let minewAngles = Sample(
    dialect: .minew, topic: "/gw/ac233fc09290/status",
    text: """
      [{"gateway":"ac233fc09290","timestamp":"2019-08-01T05:54:25.831Z"},
       {"mac":"AC233FA03208","rssi":-62,"rawData":"0201060303E1FF",
        "aoa":{"frequency":2402,"iq":[12,-31,30,13]}},
       {"mac":"AC233FA018E3","rssi":-58,"rawData":"","aoa":{"frequency":2480,"iq":[]}}]
      """)
  static let tasmota = Sample(
    dialect: .tasmota, topic: "tele/kitchen/BLE",
    text: """
      {"details":{"mac":"001A22092C9A","RSSI":-70,
       "p":"0C0943432D52542D4D2D424C450CFF0000000000000000000000","lost":true}}
      """)
  static let tasmotaIBeacon = Sample(
    dialect: .tasmotaIBeacon, topic: "tele/kitchen/SENSOR",
    text: """
      {"Time":"2021-02-04T23:20:22","IBEACON":{"UID":"\(uuidDigits)","MAJOR":"0064","MINOR":"000A",
       "MAC":"FFFFA0003B19","RSSI":-81,"STATE":"ON","PERSEC":10}}
      """)
  static let openMQTTGateway = Sample(
    dialect: .openMQTTGateway, topic: "home/OMG_kitchen/BTtoMQTT/C6C752663CBF",
    text: """
      {"id":"C6:C7:52:66:3C:BF","mac_type":1,"adv_type":0,"name":"WoTHP","rssi":-71,"unixtime":1664898941,
       "manufacturerdata":"6909c6c752663cbf710f069245","servicedata":"69c0e4069245",
       "servicedatauuid":"0xfd3d"}
      """)
  static let theengs = Sample(
    dialect: .theengs, topic: "home/TheengsGateway/BTtoMQTT/C6C752663CBF",
    text: """
      {"name":"Pinecil","id":"C6:C7:52:66:3C:BF","rssi":-72,
       "manufacturerdata":"4c000215\(uuidDigits)00640001c5"}
      """)
  static let shelly = Sample(
    dialect: .shelly, topic: "shellyplus1-08b61fd9333c/events/rpc",
    text: """
      {"src":"shellyplus1-08b61fd9333c","dst":"shellyplus1-08b61fd9333c/events",
       "method":"NotifyEvent","params":{"ts":1736605194.11,"events":[{"component":"script:1","id":1,
       "event":"ble.scan_result","ts":1736605194.11,"data":[2,[
        ["aa:bb:cc:dd:ee:ff",-63,"AgEGGv9MAAIV/aUGk6TiT7Gvz8brB2R4JQBkAAHF",""],
        ["11:22:33:44:55:66",-80,"","AwnDqQ=="]]]}]}}
      """)
  static let espresense = Sample(
    dialect: .espresense, topic: "espresense/devices/iBeacon:\(uuid)-100-1/kitchen",
    text: """
      {"mac":"5a3f1c9d0e42","id":"iBeacon:\(uuid)-100-1","name":"pixel-8","rssi@1m":-59,
       "rssi":-72.35,"rxAdj":20,"rssiVar":1.84,"distance":3.42,"var":0.21,"int":1032}
      """)
  static let roomAssistant = Sample(
    dialect: .roomAssistant,
    topic:
      "room-assistant/entity/kitchen/bluetooth-low-energy-presence-sensor/ble-\(uuidDigits)-100-1",
    text: """
      {"entity":{"attributes":{"distance":1.3,"lastUpdatedAt":"2021-07-20T09:59:49.733Z"},
       "id":"ble-\(uuidDigits)-100-1","name":"Keys","distributed":true,"distances":{
        "kitchen":{"lastUpdatedAt":"2021-07-20T09:59:14.347Z","distance":1.3,"outOfRange":false},
        "bath":{"lastUpdatedAt":"2021-07-20T09:59:49.733Z","distance":12.2,"outOfRange":false},
        "attic":{"lastUpdatedAt":"2021-07-20T09:32:30.031Z","distance":99,"outOfRange":true}},
       "measuredValues":{"kitchen":{"rssi":-61.25,"measuredPower":-59},
        "bath":{"rssi":-80.5,"measuredPower":-59},"attic":{"rssi":-99.5,"measuredPower":-59}},
       "timeout":60,"state":"kitchen"},"hasAuthority":true}
      """)

  static let uBlox = Sample(
    dialect: .uBlox, topic: "anchors/hall",
    text: """
      +UUDF:CCF9578E0D8A,-42,20,0,-43,37,"CCF9578E0D89","",15869,23
      +UUDF:6C1DEBA4241B,-65,26,-65,6,39,"CCF9579B21AE","a,b",1129320
      """)
  static let rssi = Sample(
    dialect: .rssi, topic: "rssi/hall-1",
    text: """
      {"dialect":"rssi","version":1,"receiver":"hall-1","radio":{"adapter":"hci0","scan":"passive",
       "interval_s":0.01,"window_s":0.01,"phys":"1m","time_kind":"kernel"},"reports":[
        {"time_ns":1700000000123456789,"address":"C0:00:00:00:00:01","address_type":1,
         "event_type":19,"rssi_dbm":-60,"channel":37,"data":"\(iBeaconData)"},
        {"time_ns":1700000000223456789,"address":"C0:00:00:00:00:02","event_type":0,"sid":3,
         "tx_power_dbm":-8,"primary_phy":3,"secondary_phy":2,"data_status":2,"rssi_dbm":7},
        {"time_ns":1700000001000000000,"beacon":"\(identity):100:1","rssi_dbm":-71.5,"channel":38,
         "measured_power_dbm":-59}],
       "lost":[{"reason":"silence","start_ns":1699999990000000000,"end_ns":1700000000000000000,
        "events":4}],
       "rejected":{"truncated-report":2,"other:connection":1}}
      """)

  static let all = [
    ruuvi, minew, minewAngles, tasmota, tasmotaIBeacon, openMQTTGateway, theengs, shelly,
    espresense,
    roomAssistant, rssi, uBlox,
  ]
}
