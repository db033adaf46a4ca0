import TestSupport

/// A server of lists on this machine, whose paths are ways to answer.
///
/// Each request is a line of its output: the path, and the headers that a test asks about.
final class RegistryServer {
  private let program: RunningProgram
  let port: String

  /// - Parameter list: the file that `/list` answers with.
  init(list: String) throws {
    program = try RunningProgram(pythonPath, ["-u", "-c", Self.script, list])
    let program = program
    guard program.waits(until: { program.output.contains("\n") }) else {
      throw NoServer(text: program.error)
    }
    port = String(program.output.prefix { $0 != "\n" })
  }

  struct NoServer: Error { var text: String }

  func url(_ path: String, user: String = "") -> String {
    "http://\(user)127.0.0.1:\(port)/\(path)"
  }

  /// The requests so far, one per line.
  var requests: [Substring] { program.output.split(separator: "\n").dropFirst().map { $0 } }

  func waits(until condition: () -> Bool) -> Bool { program.waits(until: condition) }

  private static let script = """
    import gzip, hashlib, http.server, sys, time

    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = "HTTP/1.1"
      def log_message(self, *a): pass
      def answer(self, status, body=b"", **headers):
        self.send_response(status)
        length = headers.pop("length", len(body))
        for k, v in headers.items(): self.send_header(k.replace("_", "-"), v)
        if status != 304: self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True
      def do_GET(self):
        h = self.headers
        print(self.path, h.get("If-None-Match", "-"), h.get("If-Modified-Since", "-"), h.get("Authorization", "-"))
        path = self.path.split("?")[0]
        body = open(sys.argv[1], "rb").read()
        tag = '"' + hashlib.md5(body).hexdigest() + '"'
        if path == "/list":
          if h.get("If-None-Match") == tag: self.answer(304, ETag=tag)
          else: self.answer(200, body, ETag=tag)
        elif path == "/plain": self.answer(200, body)
        elif path == "/dated":
          date = "Sat, 31 Jan 2026 23:59:59 GMT"
          if h.get("If-Modified-Since") == date: self.answer(304)
          else: self.answer(200, body, Last_Modified=date)
        elif path == "/gzip": self.answer(200, gzip.compress(body), Content_Encoding="gzip")
        elif path == "/badgzip": self.answer(200, b"this is no gzip at all", Content_Encoding="gzip")
        elif path == "/bomb": self.answer(200, gzip.compress(b" " * 30_000_000), Content_Encoding="gzip")
        elif path == "/huge": self.answer(200, b"[" + b" " * 2_000_000 + b"]")
        elif path == "/error": self.answer(500, body)
        elif path == "/secret": self.answer(200 if h.get("Authorization") == "Bearer t0ken" else 401, body)
        elif path == "/html": self.answer(200, b"<html>log in</html>")
        elif path == "/empty": self.answer(200, b"[]")
        elif path == "/nothing": self.answer(200, b"")
        elif path == "/bad": self.answer(200, b'[{"id": "addr:C0:FF:EE:00:00:01"}, {"id": 1}, {"id": 2}]')
        elif path == "/cut": self.answer(200, body[:-9], length=len(body))
        elif path == "/short": self.answer(200, body[:-9])
        elif path == "/unasked": self.answer(304)
        elif path == "/moved": self.answer(302, Location="/list")
        elif path == "/away": self.answer(302, Location="file:///etc/passwd")
        elif path == "/loop": self.answer(302, Location="/loop")
        elif path == "/slow":
          self.send_response(200); self.send_header("Content-Length", "100"); self.end_headers()
          self.wfile.write(b"[ "); self.wfile.flush(); time.sleep(600)
        elif path == "/hangup":
          self.connection.shutdown(2); self.close_connection = True
        else: self.answer(404)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1])
    server.serve_forever()
    """
}
