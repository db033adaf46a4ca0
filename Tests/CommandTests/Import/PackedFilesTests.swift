import Foundation
import TestSupport
import Testing

@Suite("Compressed files, archives and bug reports are read as what is in them")
struct PackedFilesTests {
  private let folder: TemporaryDirectory
  private let example = repositoryRoot.appending(path: "notebooks-data/example").path

  init() throws {
    folder = try TemporaryDirectory()
    let made = try runPython(Self.script, [example, folder.url.path])
    #expect(made.exitCode == 0, "\(made.error)")
  }

  /// Makes the packed files; its btsnooz log follows the description of AOSP's btsnooz.py.
  private static let script = """
    import base64, bz2, gzip, lzma, os, struct, sys, tarfile, zipfile, zlib
    example, folder = sys.argv[1:]
    read = lambda name: open(os.path.join(example, name), 'rb').read()
    def write(name, data):
        with open(os.path.join(folder, name), 'wb') as file: file.write(data)
    def archive(name, members):
        with zipfile.ZipFile(os.path.join(folder, name), 'w', zipfile.ZIP_DEFLATED) as file:
            for member, data in members: file.writestr(member, data)
    one, two, table = read('walk-1.btsnoop'), read('walk-2.btsnoop'), read('distances.csv')
    write('one.btsnoop', one), write('both.btsnoop', one + two), write('distances.csv', table)
    write('one.btsnoop.gz', gzip.compress(one)), write('one.btsnoop.xz', lzma.compress(one))
    write('one.btsnoop.bz2', bz2.compress(one))
    write('both.btsnoop.gz', gzip.compress(one) + gzip.compress(two))
    write('distances.csv.gz', gzip.compress(table))
    with tarfile.open(os.path.join(folder, 'one.tar.gz'), 'w:gz') as file:
        file.add(os.path.join(folder, 'one.btsnoop'), '../../etc/one.btsnoop')
    archive('distances.zip', [('read me.txt', b'levels'), ('data/distances.csv', table)])

    def snooz(log, version):
        records, before, offset = b'', None, 16
        while offset < len(log):
            whole, length = struct.unpack_from('>II', log, offset)
            time, = struct.unpack_from('>Q', log, offset + 16)
            packet = log[offset + 24:offset + 24 + length]
            kind = {1: 0x20, 2: 0x11, 3: 0x12, 4: 0x10}[packet[0]]
            records += struct.pack('<H', length) + (struct.pack('<H', whole) if version == 2 else b'')
            records += struct.pack('<IB', time - (time if before is None else before), kind) + packet[1:]
            before, offset = time, offset + 24 + length
        return struct.pack('<bQ', version, before - 0x00dcddb30f2f8000) + zlib.compress(records)
    def report(log):
        text = base64.b64encode(log).decode()
        lines = [text[start:start + 128] for start in range(0, len(text), 128)]
        bar = '=' * 56
        return '\\n'.join([bar, '== dumpstate: 2026-01-31 12:00:00', bar] + ['a line'] * 30000
            + ['--- BEGIN:BTSNOOP_LOG_SUMMARY (%d bytes in) ---' % len(log)] + lines
            + ['--- END:BTSNOOP_LOG_SUMMARY ---', 'more', '']).encode()
    write('one.txt', report(snooz(one, 2)))
    logs = 'FS/data/misc/bluetooth/logs/'
    archive('snooz.zip', [('main_entry.txt', b'one.txt'), ('one.txt', report(snooz(one, 1)))])
    archive('bugreport.zip', [('bugreport.txt', report(snooz(two, 2))), (logs + 'btsnoop_hci.log', two),
        (logs + 'btsnoop_hci.log.last', one), (logs + 'btsnooz_hci.log', one), ('x.gz', b'\\x1f\\x8b\\0')])
    with open(os.path.join(folder, 'bugreport.zip'), 'rb') as file:
        archive('outer.zip', [('screen.png', b'\\x89PNG'), ('bugreport.zip', file.read())])
    archive('several.zip', [('a/one.btsnoop', one), ('b/two.btsnoop', two)])
    archive('pictures.zip', [('a.png', b'\\x89PNG'), ('b.png', b'\\x89PNG')])
    archive('quiet.zip', [('bugreport.txt', report(b'').replace(b'BTSNOOP_LOG', b'OTHER_LOG'))])
    archive('damaged.zip', [('bugreport.txt', report(b'\\x02' + bytes(8) + zlib.compress(one)[:-9]))])
    noise = os.urandom(400000)
    write('cut.btsnoop.gz', gzip.compress(one + noise)[:-300000])
    write('cut.csv.gz', gzip.compress(table)[:-30])
    wrong = bytearray(gzip.compress(one, 0))
    wrong[-100] ^= 1
    write('wrong.btsnoop.gz', wrong)
    """

  /// The rows of an import, without the name of the trace.
  private func rows(_ file: String) throws -> [Substring] {
    let trace = folder.path("x.h5")
    let result = try rssi("import", folder.path(file), "-o", trace)
    #expect(result.exitCode == 0, "\(result.error)")
    let rows = try rssi("export", trace, "--format", "csv").output.split(separator: "\n")
    return rows.dropFirst().map { $0[($0.firstIndex(of: ",") ?? $0.startIndex)...] }
  }

  @Test(arguments: [
    ("one.btsnoop.gz", "one.btsnoop"), ("one.btsnoop.xz", "one.btsnoop"),
    ("one.btsnoop.bz2", "one.btsnoop"), ("one.tar.gz", "one.btsnoop"),
    ("one.txt", "one.btsnoop"), ("snooz.zip", "one.btsnoop"), ("both.btsnoop.gz", "both.btsnoop"),
    ("bugreport.zip", "both.btsnoop"), ("outer.zip", "both.btsnoop"),
    ("distances.csv.gz", "distances.csv"), ("distances.zip", "distances.csv"),
  ])
  func `a packed file has the rows of the plain one`(packed: String, plain: String) throws {
    #expect(try rows(packed) == rows(plain))
  }

  @Test func `a trace is named after the file, without the extension of the compression`() throws {
    let trace = folder.path("x.h5")
    #expect(try rssi("import", folder.path("one.btsnoop.gz"), "-o", trace).exitCode == 0)
    let info = try json(rssi("info", trace, "--json").output)
    #expect(String(describing: info).contains("one"))
    #expect(try rssi("export", trace, "--format", "csv").output.contains("\none,"))
  }

  @Test(arguments: [
    ("several.zip", "several recordings: a/one.btsnoop, b/two.btsnoop"),
    ("pictures.zip", "neither a recording nor a table, but a.png, b.png"),
    ("quiet.zip", "contains no Bluetooth log"), ("damaged.zip", "(btsnooz) is damaged or cut off"),
    ("cut.csv.gz", "the gzip data is damaged or cut off"),
  ])
  func `what cannot be read is refused with the reason`(file: String, problem: String) throws {
    let result = try rssi("import", folder.path(file), "-o", folder.path("x.h5"))
    #expect(result.exitCode == 65)
    #expect(result.error.contains("\(folder.path(file)): ") && result.error.contains(problem))
    #expect(try !folder.names().contains("x.h5"))
  }

  @Test func `what precedes the damage of a recording is imported, with a warning`() throws {
    let whole = try rows("one.btsnoop").count
    for file in ["cut.btsnoop.gz", "wrong.btsnoop.gz"] {
      let result = try rssi("import", folder.path(file), "-o", folder.path("x.h5"), "--json")
      #expect(result.exitCode == 0)
      #expect(
        result.error.contains("warning: \(folder.path(file)): the gzip data is damaged"),
        "\(result.error)")
      let sightings = try #require(try json(result.output)["sightings"] as? Int)
      #expect(sightings <= whole && sightings > whole * 8 / 10, "\(sightings) of \(whole)")
    }
  }

  @Test func `stages that read recordings and tables read packed ones`() throws {
    let (one, table) = (folder.path("one.btsnoop"), folder.path("distances.csv"))
    let plain = try rssi("beacons", one, "--format", "csv").output
    #expect(try rssi("beacons", one + ".gz", "--format", "csv").output == plain)
    let fit = try json(rssi("fit", table, "-o", "-").output)
    let packed = try json(rssi("fit", table + ".gz", "-o", "-").output)
    #expect(fit["groups"] as? NSArray == packed["groups"] as? NSArray && fit["groups"] != nil)
    let result = try rssi(
      "capture", "replay:\(one).gz", "--speed", "max", "-o", folder.path("y.h5"), "--json")
    #expect(result.exitCode == 0, "\(result.error)")
  }
}
