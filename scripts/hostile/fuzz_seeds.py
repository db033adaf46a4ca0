#!/usr/bin/env python3
"""Writes the first inputs of each fuzzing target, from the bundled example and by hand.

fuzz_seeds.py EXAMPLE GATEWAY-SAMPLES FOLDER
"""
import gzip
import io
import re
import struct
import sys
import zipfile
from pathlib import Path

example, samples, folder = map(Path, sys.argv[1:])
seeds: dict[str, list[bytes]] = {}

recording = (example / "walk-1.btsnoop").read_bytes()
events, ends, offset = [], [16], 16
while len(events) < 20:
    length = struct.unpack_from(">I", recording, offset + 4)[0]
    events.append(recording[offset + 25 : offset + 24 + length])
    offset += 24 + length
    ends.append(offset)


def extended(status, data, sid=1):
    report = struct.pack("<HB6sBBBbb", 0x13 | status << 5, 1, b"\6\5\4\3\2\1", 1, 2, sid, 127, -60)
    report += bytes(9) + bytes([len(data)]) + data
    return bytes([0x3E, len(report) + 2, 0x0D, 1]) + report


def split(*several):
    return b"".join(bytes([len(event)]) + event for event in several)


frames = [bytes.fromhex(text) for text in (
    "0201061aff4c000215000102030405060708090a0b0c0d0e0f00010000c5",
    "0201061bff1801beac000102030405060708090a0b0c0d0e0f10111213c500",
    "0201060303aafe1716aafe00c5000102030405060708090a0b0c0d0e0f0000",
    "0303aafe0a16aafe10c50361626307", "0303aafe1116aafe20000bb8190000000000000000000001",
    "0303aafe1516aafe2001000102030405060708090a0b0c0d0e0f", "0303aafe0d16aafe30c50001020304050607")]
many = bytes([0x3E, 22, 2, 2]) + b"".join(
    bytes([kind, 1, 6, 5, 4, 3, 2, 1, 0, 200]) for kind in (0, 4))
seeds["hci"] = [split(*events[:3]), split(many), split(extended(0, frames[0])),
                split(extended(1, frames[0]), extended(1, frames[1]), extended(0, frames[2])),
                split(extended(1, frames[0]), extended(1, frames[1], 2), extended(2, b"", 2))]
seeds["btsnoop"] = [recording[: ends[4]], recording[: ends[2] - 5]] + [
    recording[:12] + struct.pack(">I", kind) + record
    for kind, record in ((1001, struct.pack(">IIIIQ", 45, 45, 3, 0, 0x00E2F2F8AAC8C000) + events[0]),
                         (2001, struct.pack(">IIIIQ", 45, 45, 0x10003, 0, 0x00E2F2F8AAC8C000) + events[0]))]
seeds["btsnooz"] = [bytes([version]) + b"".join(
    struct.pack("<H", len(event) + 1) + (struct.pack("<H", len(event) + 1) if version == 2 else b"")
    + struct.pack("<IB", 1000, 0x10) + event for event in events[:3]) for version in (1, 2)]
archive = io.BytesIO()
with zipfile.ZipFile(archive, "w") as file:
    file.writestr("logs/btsnoop_hci.log", recording[: ends[2]])
seeds["packed"] = [gzip.compress(recording[: ends[2]]), archive.getvalue(),
                   b"=" * 56 + b"\n== dumpstate: 0\n--- BEGIN:BTSNOOP_LOG_SUMMARY ---\nAgAA\n--- END:BTSNOOP_LOG_SUMMARY"]
seeds["frame"] = frames
seeds["csv"] = [b"\n".join((example / "distances.csv").read_bytes().split(b"\n")[:4]) + b"\n",
                b'trace,time_s,receiver,beacon,rssi_dbm\r\n"a ""b""\nc",1.5,r,b,-60\r\nt,2e1,r,b,\r\n']
seeds["ndjson"] = [
    b'{"time_s":1.25,"beacon":"b","receiver":"r","rssi_dbm":-60,"trace":"t","channel":37}\n',
    '{"beacon":"\\u00e9\\ud83d\\ude00","time_s":1700000000.123456789,"receiver":"é","rssi_dbm":null}\n'.encode(),
    b'{"time_s":1,"beacon":"b","receiver":"r","rssi_dbm":-6.0e1,"distance_m":2,"x_m":1,"y_m":2,"z_m":3,"o":[{"k":true}]}\n']
seeds["json"] = [
    b'[{"timestamp":1700000000123,"mac":"a","rssi":"-60"},\n {"timestamp":1700000000124,"mac":"b","rssi":null}]',
    b'{"gateway":{"id":[1]},"readings":[{"time":"2024-05-01T10:00:00Z","data":{"rssi":-60.5}}]}',
    b'\xef\xbb\xbf{\n "time_s": 1,\n "beacon": "b",\n "receiver": "}",\n "rssi_dbm": -6e1\n}\n{"time_s":2}\n']
# Texts of other programs, after a byte that selects the format.
seeds["tshark"] = [
    b"\0frame.time_epoch\tbtle.advertising_address\tnordic_ble.rssi\tnordic_ble.crcok\n1.5\t05:dc:d7:1b:09:49\t-90\t1\n",
    b'\1[{"_source":{"layers":{"frame_raw":["043e1a02010001060504030201", 0],"frame":{"frame.time_epoch":"1.5",'
    b'"frame.protocols":"bluetooth:hci_h4:bthci_evt"}}}}]',
    b'\2{"index":{"_index":"packets-2020-05-01"}}\n{"layers":{"frame":{"frame_frame_time_epoch":"1.5"},"bthci_evt":'
    b'{"bthci_evt_bthci_evt_le_num_reports":"1","bthci_evt_bthci_evt_bd_addr":["5c:31:3e:4c:7a:a4"],'
    b'"bthci_evt_bthci_evt_rssi":["-55"],"bthci_evt_bthci_evt_data_length":["11"],'
    b'"btcommon_btcommon_eir_ad_entry_length":["10"],"btcommon_btcommon_eir_ad_entry_type":["0xff"],'
    b'"btcommon_btcommon_eir_ad_entry_company_id":"0x000d","btcommon_btcommon_eir_ad_entry_data":"07:06:50"}}}\n']
seeds["uudf"] = [b'\0+UUDF:CCF9578E0D8A,-42,20,0,-43,37,"A","a,b",15869,23\n[1.5] +UUDF:CCF9578E0D8A,-42,,,-43,37,"A","",1,2\n']
seeds["esphome"] = [
    b"\0[13:19:01][V][bluetooth_proxy:086]: Queuing raw packet from A4:C1:38:B6:63:C9, length 3. RSSI: -89 dB\n"
    b"[13:19:01][VV][esp32_ble_tracker:536]: Parse Result:\n"
    b"[13:19:01][VV][esp32_ble_tracker:555]:   Address: A4:C1:38:B6:63:C9 (PUBLIC)\n"
    b"[13:19:01][VV][esp32_ble_tracker:558]:   RSSI: -89\n"
    b"[13:19:01][VV][esp32_ble_tracker:591]:   Adv data: 02.01.06 (3)\n",
    b"\x002023-08-03 11:32:56.076 DEBUG (MainThread) [aioesphomeapi.connection] kitchen @ 192.0.2.53: Got message of "
    b"type BluetoothLERawAdvertisementsResponse: advertisements {\n  address: 123318265456547\n  rssi: -72\n"
    b'  address_type: 1\n  data: "\\002\\001\\x04\\n"\n}\n\n']
seeds["btmontext"] = [
    b"\0> HCI Event: LE Meta Event (0x3e) plen 42   #4 [hci1] 2024-04-04 13:49:27.702528\n"
    b"      LE Advertising Report (0x02)\n        Num reports: 1\n"
    b"        Event type: Connectable undirected - ADV_IND (0x00)\n        Address type: Random (0x01)\n"
    b"        Address: C1:02:03:04:05:06 (Static)\n        Data length: 30\n        Flags: 0x06\n"
    b"        Company: Apple, Inc. (76)\n          Type: iBeacon (2)\n"
    b"          UUID: 0f0e0d0c-0b0a-0908-0706-050403020100\n          Version: 256.513\n          TX power: -59 dB\n"
    b"        Service Data: Google (0xfeaa)\n          Data: 10c50361\n        RSSI: -56 dBm (0xc8)\n",
    b"\0> HCI Event: LE Meta Ev.. (0x3e) plen 26    #5 [hci1] 0.6\n      LE Extended Advertising Report (0x0d)\n"
    b"        Entry 0\n          Event type: 0x0013\n          Address: C1:02:03:04:05:06 (Static)\n"
    b"          SID: 0x01\n          RSSI: -60 dBm (0xc4)\n          Data length: 0x02\n        01 00     ..\n"]
seeds["phone"] = [
    b"\0#\tstartTime:1574659531598\n#\tFloorName:F1\n1574659531598\tTYPE_WAYPOINT\t1\t2\n"
    b"1574659531641\tTYPE_BEACON\tFDA50693-A4E2-4FB1-AFCF-C6EB07647825\t1\t2\t-65\t-82\t5.2\tA0:B1:C2:D3:E4:F5\t1\n",
    b"\1BLE4;1.25;iBeacon;00:11:22:33:44:55;-71;-59;100;7;fda50693-a4e2-4fb1-afcf-c6eb07647825\n"
    b"POSI;1.0;1;40.3;-3.4;0;0\nBLE4;1.5;Eddystone;00:11:22:33:44:66;-81;000000000001;[3000]\nACCE;1;2\n",
    b"\2time,seconds_elapsed,sensor,id,rssi,manufacturerData,advertisement\n"
    b"1698501144401674000,0.5,Bluetooth,5C:31:3E:4C:7A:A4,-66,4c000215,020106\n",
    b'\3[{"sensor":"Bluetooth","time":"1698501144401674000","seconds_elapsed":"0.5","id":"5C:31:3E:4C:7A:A4",'
    b'"rssi":"-66","manufacturerData":"4c000215"}]',
    b"\4WigleWifi-1.6,appRelease=2.78\nMAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,RCOIs,MfgrId,Type\n"
    b'00:00:5e:00:53:30,"a,b",Misc [LE],2018-08-03 18:14:12,0,,-67,,72,BLE\nx,,[WPA2],2018-08-03 18:14:12,6,2437,-5,,,WIFI\n',
    b"\5time,sensor,id,detect,read,measure,share,visit,data\n2020-08-11 20:07:50,BLE,5E1F0A3C,1,,,,,\n"
    b'2020-08-11 20:07:50,BLE,5E1F0A3C,,,3,,,"RSSI:-77.0,TxPower:12"\n']
seeds["companion"] = [
    b'\0{"version":1,"deviceId":"iBeacon:fda50693-a4e2-4fb1-afcf-c6eb07647825-1-7","started":"2026-06-15T12:00:00Z",'
    b'"nodes":[{"id":"k","name":"K","point":[1,2,0.5],"floors":["g"]}],"positions":[{"t":"2026-06-15T12:00:00.1Z",'
    b'"x":3.5,"y":2,"z":1,"floor":"g"}],"messages":[{"t":"2026-06-15T12:00:00.2Z","node":"k","rssi":-72.35}]}']
for name in ("nodes", "truth"):
    seeds[name] = [b"\n".join((example / f"{name}.csv").read_bytes().split(b"\n")[:6]) + b"\n"]
seeds["truth"].append(b"trace,time_s,receiver,beacon,true_rssi_dbm\nwalk-1,1704067200.5,phone,tag,-61.25\n")



# Sniffers: packets of the advertising channels with their checksums, and headers around them.
def checksum(pdu):
    register = 0x555555
    for byte in pdu:
        for bit in range(8):
            feedback = register >> 23 & 1 ^ byte >> bit & 1
            register = register << 1 & 0xFFFFFF ^ feedback * 0x65B
    return bytes(sum((register >> 23 - 8 * i - bit & 1) << bit for bit in range(8)) for i in range(3))


def air(kind, payload, coding=b""):
    pdu = bytes([kind, len(payload)]) + payload
    return b"\xd6\xbe\x89\x8e" + coding + pdu + checksum(pdu)


def radio(packet, channel=0, flags=0x0003):
    return struct.pack("<BbbBIH", channel, -60, -128, 0, 0x8E89BED6, flags) + packet


def nordic(packet, version=3, channel=37, flags=1):
    rest = 10 + len(packet)
    lengths = bytes([6, rest] if version == 1 else [rest, 0])
    event = bytes([10, flags, channel, 60, 0, 0, 1, 2, 3, 4])
    return b"\x09" + lengths + bytes([version, 0, 0, 6 if version < 3 else 2]) + event + packet


def extended_pdu(fields, data, mode=0):
    """Writes fields by their bits in the flags of the extended header."""
    flags = sum(1 << bit for bit in fields)
    header = bytes([flags]) + b"".join(fields[bit] for bit in sorted(fields))
    return bytes([len(header) | mode << 6]) + header + data


address = b"\x01\x02\x03\x04\x05\xc6"
information, pointer = b"\x01\x30", b"\x03\x05\x00"
air_packets = [air(kind | 0x40, address + frames[0]) for kind in (0, 2, 6, 4)] + [
    air(1, address + address), air(3, address + address), air(5, address + address + bytes(22))]
set_packets = [
    air(7, extended_pdu({3: information, 4: pointer}, b"")),
    air(7, extended_pdu({0: address, 3: information, 4: pointer}, frames[0])),
    air(7, extended_pdu({3: information, 6: b"\xf4"}, frames[3]))]
coded = air(7, extended_pdu({0: address, 3: information}, frames[1]), b"\0")
seeds["linklayer"] = [
    bytes([choice]) + split(*packets)
    for right in (0, 0x80)
    for choice, packets in (
        (right, air_packets), (right, set_packets),
        (right + 1, [radio(packet) for packet in air_packets]),
        (right + 1, [radio(set_packets[0]), radio(set_packets[1], 20, 0x0C83),
                     radio(set_packets[2], 20, 0x1C83), radio(coded, 21, 0x8C83)]),
        (right + 2, [nordic(packet, version) for packet in air_packets for version in (1, 2, 3)]),
        (right + 2, [nordic(set_packets[0]), nordic(set_packets[1], channel=20),
                     nordic(set_packets[2], channel=20, flags=3), nordic(coded, channel=9, flags=0x21)]))]


# Captures of every link type, and both file formats in both byte orders.
def pcap(link, packets, order="<", magic=0xA1B2C3D4):
    return struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, link) + b"".join(
        struct.pack(order + "IIII", 1700000000 + i, i, len(packet), len(packet)) + packet
        for i, packet in enumerate(packets))


def pcapng(link, packets, order="<"):
    def block(kind, body):
        body += bytes(-len(body) % 4)
        return struct.pack(order + "II", kind, len(body) + 12) + body + struct.pack(order + "I", len(body) + 12)

    return block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1)) + block(
        1, struct.pack(order + "HHIHHB7x", link, 0, 64, 9, 1, 9)) + b"".join(
        block(6, struct.pack(order + "IIIII", 0, i, 0, len(packet), len(packet)) + packet)
        for i, packet in enumerate(packets))


h4 = [b"\x04" + event for event in events[:3]]
links = {187: h4, 201: [b"\0\0\0\1" + packet for packet in h4],
         254: [b"\0\1\0\3" + event for event in events[:3]], 251: air_packets + set_packets,
         256: [radio(packet) for packet in air_packets], 272: [nordic(packet) for packet in air_packets],
         1: [bytes(20)]}
seeds["pcap"] = [pcap(link, packets) for link, packets in links.items()] + [
    pcap(187, h4, ">", 0xA1B23C4D), pcapng(187, h4), pcapng(251, air_packets, ">")]


def logged(packets, order):
    return b"".join(struct.pack(order + "III", 9 + len(packet), 1700000000, 5) + bytes([kind]) + packet
                    for kind, packet in packets)


log = [(0xFC, b"a note"), (1, events[0]), (0, b"\x0c\x20\2\1\0"), (1, events[1]), (2, bytes(9)), (1, events[2])]
seeds["packetlogger"] = [logged(log, ">"), logged(log, "<"), logged(log, ">")[:-4]]

# Inputs of Capture: controllers' streams, the monitor channel, gateways' messages, texts.
stream = b"\x04\x0e\4\1\x03\x0c\0" + b"".join(h4) + b"\2\x40\x20\4\0abcd\3\x40\0\3abc" + h4[0]
seeds["h4"] = [bytes([0, len(sizes)]) + sizes + stream for sizes in (b"", b"\1", b"\7\0\x20")] + [
    bytes([0, 1, 16]) + h4[0] + b"\4\x3e" + h4[1] + b"noise\2\3" + h4[2]] + [
    bytes([mode, 3, 1, 9, 0]) + split(b"noise\xff", frames[0], b"", frames[1] * 4, b"\1\6", frames[2])
    for mode in (1, 2)]
seeds["btmonitor"] = [split(*(
    struct.pack("<HHH", opcode, 1, len(content)) + content
    for opcode, content in (
        (0, b"\0\1" + address + b"hci0\0\0\0\0"), (8, b""), (10, address + b"\xf1\5"),
        (2, b"\x0c\x20\2\1\0"), (3, b"\x0e\4\1\x0c\x20\0"), (3, b"\x0f\4\0\1\x0c\x20"), (3, events[0]),
        (12, b"a note"), (9, b""), (1, b""))))]

# The dialects in the order of `Dialect`, and the samples of its tests.
dialects = ["ruuvi", "minew", "tasmota", "tasmotaIBeacon", "openMQTTGateway", "theengs", "shelly",
            "espresense", "roomAssistant", "rssi", "uBlox"]
arrivals = {"ruuvi": 1653668030, "minew": 1564638870, "openMQTTGateway": 1664898950,
            "shelly": 1736605195, "roomAssistant": 1626775200}
source = samples.read_text()
for name in ("iBeaconData", "identity", "uuidDigits", "uuid"):
    source = source.replace(f"\\({name})", re.search(rf'let {name} = "(.*)"', source)[1])
found = re.findall(r'dialect: \.(\w+),\s+topic:\s+"([^\n]*)",\s+text: """\n(.*?)"""', source, re.DOTALL)
if {name for name, _, _ in found} != set(dialects):
    sys.exit(f"fuzz_seeds.py: {samples} does not have exactly one sample per dialect")
seeds["gateway"] = [
    struct.pack(">BIB", dialect, arrivals.get(name, 1700000000), len(topic)) + topic.encode() + text.encode()
    for name, topic, text in found for dialect in (dialects.index(name), len(dialects))]

uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"
seeds["pattern"] = [text.encode() for text in (
    uuid, f"{uuid}:1", f"ibeacon:{uuid}:1:7", "altbeacon:" + "0A" * 20, "addr:AA:BB:CC:DD:EE:FF",
    "eddystone-uid:00112233445566778899:AABBCCDDEEFF", "eddystone-eid:0011223344556677",
    "eddystone-url:https://example.com:8080/a", "aa:bb:cc:dd:ee:ff", "tcp:192.0.2.7:9000",
    "tcp:[::1]:9000", "unix:/run/hci", "/dev/ttyACM0", "/dev/ttyUSB1:1000000",
    "mqtt://broker/ruuvi/#", "mqtts://me%40home@[::1]:1884/k%C3%BCche/+/a", "mqtt://b//gw/+/status",
    "mqtt://broker/$share/g/a/%23")]

seeds["registry"] = [
    ('{"format":"rssi-registry","format_version":1,"source":{"url":"http://a/","etag":"\\"1\\"","fetched":"x","sha256":"0"},'
     f'"beacons":[{{"id":"ibeacon:{uuid}:1:7","name":"d\\u00e9","x_m":1,"y_m":-2.5,"measured_power_dbm":-59,"notes":{{"a":"b"}}}}]}}').encode(),
    b'[{"advertisedId":{"type":"EDDYSTONE","id":"AAECAwQFBgcICQoLDA0ODw=="},"tx_power_0m_dbm":-18,"rangeThreshold":"2.5","tags":[true,{"x":null}]}]',
    f"uuid,major,minor,name,description,range_m,floor\n{uuid},1,7,\"a, b\",c,3,2\n".encode()]

for name, inputs in seeds.items():
    (folder / name).mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(inputs):
        (folder / name / f"seed-{number}").write_bytes(data)
