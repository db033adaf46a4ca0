import Foundation
import TestSupport
import Testing

/// A broker that only says what a script tells it to, for answers that Mosquitto never gives.
///
/// The script has one string for each connection, and answers each packet of it in turn with what
/// is between two slashes, in hexadecimal; `ID` is the packet's identifier, `X` closes the
/// connection.
final class ScriptedBroker {
  let port: Int
  private let directory: TemporaryDirectory
  private let process: RunningProgram

  init(_ connections: [String]) throws {
    directory = try TemporaryDirectory()
    let portFile = directory.path("port")
    process = try RunningProgram(pythonPath, ["-c", Self.program, portFile] + connections)
    let process = process
    var number: Int?
    let listens = process.waits {
      number = (try? String(contentsOfFile: portFile, encoding: .utf8)).flatMap { Int($0) }
      return number != nil
    }
    try #require(listens, "\(process.error)")
    port = number ?? 0
  }

  private static let program = """
    import os, socket, sys

    def packet(c):
        kind, size, shift = c.recv(1), 0, 0
        if not kind: return None
        while True:
            byte = c.recv(1)[0]
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128: break
        body = b""
        while len(body) < size: body += c.recv(size - len(body))
        return kind + body

    server = socket.create_server(("127.0.0.1", 0))
    with open(sys.argv[1] + ".new", "w") as f: f.write(str(server.getsockname()[1]))
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    for script in sys.argv[2:]:
        c, _ = server.accept()
        for answer in script.split("/"):
            got = packet(c)
            if got is None: break
            version = got[7:8].hex() if got[0] == 0x10 else ""
            answer = answer.replace("ID", got[1:3].hex()).replace("VERSION", version)
            if answer != "X": c.sendall(bytes.fromhex(answer))
        else:
            if not script.endswith("X"):
                while packet(c): pass
        c.close()
    """
}
