#!/usr/bin/env python3
"""Beacons and a scanner's controller, all of bumble (https://github.com/google/bumble), an
independent Bluetooth stack. The controller is offered as HCI H4 on tcp.

    advertise.py PORT [--legacy]

Each beacon is a whole bumble device whose host gives its own controller HCI commands; the link
between the controllers is bumble's too. Prints one line for each beacon, `told ADDRESS HEX`, then
`ready`. What bumble 0.0.236 does in its own way: every PDU is reported twice, the second time as a
scan response, RSSI is always -50 and the set identifier 0.

--legacy    a Bluetooth 4.2 controller for the scanner, and only legacy advertising
"""
import asyncio
import struct
import sys
import uuid

from bumble import hci
from bumble.controller import Controller
from bumble.device import AdvertisingEventProperties, AdvertisingParameters, AdvertisingType, Device
from bumble.hci import Address
from bumble.link import LocalLink
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink, BaseSource

FLAGS = bytes.fromhex("020106")
UUID = uuid.UUID("e2c56db5-dffb-48d2-b060-d0f5a71096e0").bytes
EXTENDED_COMMANDS = {
    hci.HCI_LE_SET_EXTENDED_SCAN_PARAMETERS_COMMAND,
    hci.HCI_LE_SET_EXTENDED_SCAN_ENABLE_COMMAND,
}


def structure(kind, content):
    return bytes([1 + len(content), kind]) + content


def eddystone(frame):
    return FLAGS + structure(0x03, b"\xaa\xfe") + structure(0x16, b"\xaa\xfe" + frame)


LEGACY = [
    FLAGS + structure(0xFF, b"\x4c\x00\x02\x15" + UUID + struct.pack(">HHb", 1, 2, -59)),
    eddystone(b"\x00\xee" + bytes(range(16)) + b"\x00\x00"),
    eddystone(b"\x10\xee\x01" + b"example" + b"\x07"),
]
EXTENDED = [
    (3, LEGACY[0] + structure(0xFF, b"\xf1\x05" + bytes(range(100)))),
    (11, structure(0x09, b"a name that no legacy advertisement has room for")
     + structure(0xFF, b"\xf1\x05" + bytes(range(255, 80, -1)))),
]


class Pipe(BaseSource):
    """What a controller in this process sends to its host."""

    def on_packet(self, packet):
        if self.sink:
            self.sink.on_packet(packet)


async def beacon(number, link, is_extended):
    controller = Controller(f"beacon{number}", link=link)
    if not is_extended:
        controller.le_features &= ~hci.LeFeatureMask.LE_EXTENDED_ADVERTISING
    pipe = Pipe()
    controller.host = pipe
    address = Address(f"C0:00:00:00:00:{number:02X}")
    device = Device.with_hci(f"beacon{number}", address, pipe, AsyncPipeSink(controller))
    await device.power_on()
    return device


def told(device, data):
    print("told", device.random_address.to_string(False), data.hex(), flush=True)


async def main():
    is_legacy = "--legacy" in sys.argv
    link = LocalLink()
    devices = []
    async with await open_transport(f"tcp-server:127.0.0.1:{sys.argv[1]}") as (source, sink):
        scanner = Controller(
            "scanner", host_source=source, host_sink=sink, link=link,
            public_address=Address("00:AA:00:00:00:01/P"))
        if is_legacy:
            scanner.le_features &= ~hci.LeFeatureMask.LE_EXTENDED_ADVERTISING
            scanner.supported_commands = {
                code for code in scanner.supported_commands if code not in EXTENDED_COMMANDS}
        for data in LEGACY:
            device = await beacon(len(devices) + 1, link, False)
            await device.start_advertising(
                advertising_type=AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE,
                own_address_type=hci.OwnAddressType.RANDOM, advertising_data=data,
                advertising_interval_min=50, advertising_interval_max=50)
            devices.append(device)
            told(device, data)
        for sid, data in [] if is_legacy else EXTENDED:
            device = await beacon(len(devices) + 1, link, True)
            await device.create_advertising_set(
                advertising_parameters=AdvertisingParameters(
                    advertising_event_properties=AdvertisingEventProperties(),
                    own_address_type=hci.OwnAddressType.RANDOM, advertising_sid=sid,
                    primary_advertising_interval_min=50, primary_advertising_interval_max=50),
                advertising_data=data)
            devices.append(device)
            told(device, data)
        print("ready", flush=True)
        await asyncio.Event().wait()


asyncio.run(main())
