"""Messages of gateways with one hostile text each, and a publisher of them; used by once.py."""
import contextlib
import socket
import struct

UUID = "fda50693a4e24fb1afcfc6eb07647825"
DATA = f"0201061AFF4C000215{UUID}00640001C5"

# A topic and a message of each dialect, as in Tests/Signals/CaptureTests/GatewaySamples.swift.
MESSAGES = [
    ("rssi/hall-1", '{"dialect":"rssi","version":1,"receiver":"hall-1","radio":{"adapter":"hci0","controller":"c","scan":"passive",'
     '"phys":"1m","rssi_kind":"last","time_kind":"kernel"},"reports":[{"time_ns":1600000000123456789,'
     f'"address":"C0:00:00:00:00:01","rssi_dbm":-60,"data":"{DATA}"}},{{"time_ns":1600000001000000000,"beacon":"tag-1",'
     '"rssi_dbm":-71.5}],"lost":[{"reason":"silence","start_ns":1,"end_ns":2,"events":4}],"rejected":{"bad-crc":2}}'),
    ("ruuvi/C8:25:2D:8E:9C:2C/F4:1F:0C:28:CB:D6", '{"gw_mac":"C8:25:2D:8E:9C:2C","rssi":-26,"aoa":[],"gwts":"1653668028",'
     f'"ts":"1653668027","data":"{DATA}","coords":""}}'),
    ("/gw/ac233fc001ea/status", '[{"timestamp":"2019-08-01T05:54:25Z","type":"Gateway","mac":"AC233FC001EA"},'
     f'{{"timestamp":"2019-08-01T05:54:25.434Z","type":"Unknown","mac":"AC233FA03208","rssi":-79,"rawData":"{DATA}"}},'
     f'{{"timestamp":1564638866,"type":"iBeacon","mac":"AC233FA018E3","rssi":-60,"ibeaconUuid":"{UUID}","ibeaconMajor":100,'
     '"ibeaconMinor":1,"ibeaconTxPower":-59},{"timestamp":1564638866250,"type":"S1","mac":"AC233FA018E3","rssi":-54}]'),
    ("tele/kitchen/BLE", f'{{"details":{{"mac":"001A22092C9A","RSSI":-70,"p":"{DATA}","lost":true}}}}'),
    ("tele/kitchen/SENSOR", f'{{"Time":"2021-02-04T23:20:22","IBEACON":{{"UID":"{UUID}","MAJOR":"0064","MINOR":"000A",'
     '"MAC":"FFFFA0003B19","RSSI":-81,"STATE":"ON","PERSEC":10}}'),
    ("home/OMG_kitchen/BTtoMQTT/C6C752663CBF", '{"id":"C6:C7:52:66:3C:BF","mac_type":1,"adv_type":0,"name":"x","rssi":-70,'
     '"manufacturerdata":"4c000215","servicedata":"00","servicedatauuid":"0xfe95","unixtime":1700000000}'),
    ("home/TheengsGateway/BTtoMQTT/C6C752663CBF", f'{{"id":"C6:C7:52:66:3C:BF","rssi":-63,"uuid":"{UUID}","major":100,'
     '"minor":1,"txpower":-59,"name":"y"}'),
    ("shellyplus1-08b61fd9333c/events/rpc", '{"src":"shellyplus1-08b61fd9333c","method":"NotifyEvent","params":{"ts":1736605194.11,'
     '"events":[{"component":"script:1","event":"ble.scan_result","ts":1736605194.11,"data":[2,[["aa:bb:cc:dd:ee:ff",-63,'
     '"AgEGGv9M","" ]]]}]}}'),
    ("espresense/devices/tag/kitchen", '{"mac":"5a3f1c9d0e42","id":"tag","rssi@1m":-59,"rssi":-72.35,"distance":3.42,"int":1032}'),
    ("room-assistant/entity/kitchen/bluetooth/ble-tag", '{"entity":{"id":"ble-tag","measuredValues":{"kitchen":{"rssi":-61.3}},'
     '"distances":{"kitchen":{"lastUpdatedAt":"2021-07-20T09:59:14.347Z","distance":1.3,"outOfRange":false}}}}'),
    ("anchors/hall", '+UUDF:CCF9578E0D8A,-42,20,0,-43,37,"CCF9578E0D89","",15869,23\r\n'),
]
PIECES = [b"x", "é".encode(), "\U0001F4E1".encode(), b"\0", b"\x1b[31m", b"\xff", b"\xc3", b"\xed\xa0\x80", "\u202e".encode(),
          "e\u0301".encode(), b"\x7f", rb"\u0000", rb"\ud800", rb"\u001b", b"\xf4\x8f\xbf\xbf", b"\r\n", b'"', b"\\"]


def hostile(random):
    """Returns the bytes of a hostile text."""
    count = random.choice((0, 1, 5, 17, 33, 65, 129, 161, 300, 5000))
    one = random.choice(PIECES)
    return b"".join(one if random.random() < 0.5 else random.choice(PIECES) for _ in range(count))


def mutated(random):
    """Returns a topic and a payload with one hostile text."""
    topic, text = random.choice(MESSAGES)
    topic, text = topic.encode(), text.encode()
    if random.random() < 0.15:
        levels = topic.split(b"/")
        # Topics that MQTT forbids would end the publisher's connection.
        level = "".join(c for c in hostile(random).decode("utf-8", "replace") if c.isprintable() or c == "\u202e")
        levels[random.randrange(len(levels))] = level[:3000].encode()
        return b"/".join(levels) or b"x", text
    parts = text.split(b'"')
    parts[random.randrange(len(parts))] = hostile(random)
    return topic, b'"'.join(parts)


@contextlib.contextmanager
def broker_of_texts(port):
    """Returns a function that publishes to a broker of MQTT 3.1.1, with quality of service 0."""
    def packet(kind, body):
        length, rest = b"", len(body)
        while True:
            length += bytes((rest % 128 | (128 if rest > 127 else 0),))
            rest //= 128
            if not rest:
                return bytes((kind,)) + length + body

    def publish(topic, payload):
        topic = topic if isinstance(topic, bytes) else topic.encode()
        connection.sendall(packet(0x30, struct.pack(">H", len(topic)) + topic + payload))

    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(packet(0x10, b"\0\x04MQTT\x04\x02\0\0\0\x04once"))
        connection.recv(4)
        yield publish
        connection.sendall(b"\xe0\0")
