#!/usr/bin/env python3
"""A Bluetooth controller that can advertise, at the end of a unix socket that carries HCI as H4.

It answers the commands, writes all of them into a btsnoop file (for tshark), and prints one line for
each: the opcode and the parameters, in hexadecimal.

  h4_advertiser.py SOCKET SNOOP [legacy] [refuse=OPCODE:STATUS ...] [fail-after=SECONDS] [mute-after=SECONDS]

legacy      a controller of Bluetooth 4.2
refuse      answers a command with a status, both hexadecimal
fail-after  a Hardware Error so long after advertising began, once
mute-after  no answer any more so long after advertising began
"""
import os, socket, struct, sys, time

path, snoop = sys.argv[1:3]
words = dict(word.partition('=')[::2] for word in sys.argv[3:] if not word.startswith('refuse='))
refused = [word[7:].split(':') for word in sys.argv[3:] if word.startswith('refuse=')]
refused = {int(opcode, 16): int(status, 16) for opcode, status in refused}
legacy = 'legacy' in words

supported = bytearray(64)
supported[25], supported[26] = 0xF7, 0xFF
if not legacy:
    supported[36], supported[37] = 0xFE, 0x63
version = 8 if legacy else 9
answers = {
    0x1001: struct.pack('<BHBHH', version, 0, version, 0x05F1, 0),
    0x1002: bytes(supported),
    0x1009: bytes.fromhex('02005E55AA00'),
    0x2003: bytes([0, 0 if legacy else 0x19, 0, 0, 0, 0, 0, 0]),
    0x2007: b'\x04',
    0x2036: b'\x06',
}
known = {0x0C01, 0x0C03, 0x1001, 0x1002, 0x1009, 0x2001, 0x2003, 0x2005}
known |= {0x2006, 0x2007, 0x2008, 0x200A} if legacy else {0x2035, 0x2036, 0x2037, 0x2039, 0x203C}

record = open(snoop, 'wb', buffering=0)
record.write(b'btsnoop\0' + struct.pack('>II', 1, 1002))


def note(packet, received):
    now = int(time.time() * 1e6) + 0x00DCDDB30F2F8000
    kind = 2 | (1 if received else 0)
    record.write(struct.pack('>IIIIq', len(packet), len(packet), kind, 0, now) + packet)


if os.path.exists(path):
    os.remove(path)
server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen(1)
print('ready', flush=True)
client, _ = server.accept()
client.settimeout(0.02)


def event(code, parameters):
    packet = bytes([4, code, len(parameters)]) + parameters
    note(packet, True)
    client.sendall(packet)


began, failed, pending = None, False, b''
while True:
    age = time.monotonic() - began if began else 0
    if 'fail-after' in words and not failed and age > float(words['fail-after']):
        failed = True
        event(0x10, b'\x42')
    try:
        data = client.recv(4096)
        if not data:
            break
        pending += data
    except TimeoutError:
        continue
    while len(pending) >= 4 and len(pending) >= 4 + pending[3]:
        length = 4 + pending[3]
        packet, pending = pending[:length], pending[length:]
        note(packet, False)
        opcode, parameters = packet[1] | packet[2] << 8, packet[4:]
        print(f'{opcode:04x} {parameters.hex()}', flush=True)
        if 'mute-after' in words and began and time.monotonic() - began > float(words['mute-after']):
            continue
        status = refused.get(opcode, 0 if opcode in known else 1)
        answer = bytes([status]) + (answers.get(opcode, b'') if status == 0 else b'')
        event(0x0E, bytes([1, packet[1], packet[2]]) + answer)
        if opcode in (0x200A, 0x2039) and parameters[0] == 1 and status == 0:
            began = time.monotonic()
print('closed', flush=True)
