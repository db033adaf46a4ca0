import Foundation
import TestSupport
import Testing

@Suite("Common mistakes are answered with their cause")
struct MistakesTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test(
    "a misspelled stage, source, dialect or zone is answered with the nearest name",
    arguments: [
      ("filtr x", "there is no stage \"filtr\": did you mean \"filter\"?"),
      ("help filtr", "there is no stage \"filtr\": did you mean \"filter\"?"),
      ("session jion hall", "there is no stage \"session jion\": did you mean \"join\"?"),
      ("help registry lst", "there is no stage \"registry lst\": did you mean \"list\"?"),
      ("registry xyz", "there is no stage \"registry xyz\"; there are "),
      ("capture repla:x -o x.h5", "\"repla:x\" is not a source (did you mean \"replay\"?)"),
      ("capture mqtt://h/x --dialect espresens -o x.h5", "(did you mean \"espresense\"?)"),
      ("watch x.h5 --region a@neer", "there is no zone \"neer\" (did you mean \"near\"?)"),
    ])
  func nearestNames(call: String, message: String) throws {
    let result = try runProgram(builtProgram, call.split(separator: " ").map(String.init))
    #expect(result.exitCode == 64)
    #expect(result.error.hasPrefix("rssi: ") && result.error.contains(message), "\(result.error)")
  }

  @Test(
    "errors of the argument parser have the form of all others, and the reason",
    arguments: [
      ("eval", "rssi: missing expected argument '<file> ...'\nSee 'rssi eval --help'.\n"),
      (
        "eval x.h5 --algorithim kalman",
        "rssi: unknown option '--algorithim'. Did you mean '--algorithm'?\nSee 'rssi eval --help'.\n"
      ),
      (
        "locate x.h5 --bounds 0,0,12",
        "rssi: the value '0,0,12' is invalid for '--bounds <xmin,ymin,xmax,ymax>': write four "
          + "numbers with commas between them, this has 3\nSee 'rssi locate --help'.\n"
      ),
      (
        "locate x.h5 --bounds 0,5,12,5",
        "rssi: the value '0,5,12,5' is invalid for '--bounds <xmin,ymin,xmax,ymax>': XMIN must be "
          + "below XMAX, and YMIN below YMAX\nSee 'rssi locate --help'.\n"
      ),
    ])
  func parserErrors(call: String, message: String) throws {
    let result = try runProgram(builtProgram, call.split(separator: " ").map(String.init))
    #expect(result.exitCode == 64 && result.error == message && result.output.isEmpty)
  }

  @Test(
    "a refusal of simulate names the option",
    arguments: [("--loss", "2"), ("--exponent", "99"), ("--shadowing", "1e9"), ("--room", "0x8")])
  func simulate(option: String, value: String) throws {
    let result = try rssi("simulate", option, value, "-o", folder.path("room"))
    #expect(result.exitCode == 64)
    #expect(
      result.error.hasPrefix("rssi: \(option): the simulation cannot use "), "\(result.error)")
  }

  @Test(
    "a file of another kind is recognised by its content",
    arguments: [
      ("import", [0x1F, 0x8B, 8, 0], "compressed by gzip; decompress it with gunzip first"),
      ("info", [0x1F, 0x8B, 8, 0], "compressed by gzip; decompress it with gunzip first"),
      ("import", Array("<!DOCTYPE html><p>".utf8), "this is a web page"),
      ("info", Array("{\"format\" : \"rssi-calibration\"}".utf8), "use it as --calibration"),
      ("import", Array("{\"format\" : \"rssi-calibration\"}".utf8), "use it as --calibration"),
      ("import", Array("node,role,x_m,y_m\n".utf8), "this is a table of nodes: use --nodes"),
    ] as [(String, [UInt8], String)])
  func kinds(stage: String, bytes: [UInt8], message: String) throws {
    let path = folder.path("file")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let output = stage == "import" ? ["-o", folder.path("x.h5")] : []
    let result = try runProgram(builtProgram, [stage, path] + output)
    #expect(result.exitCode == 65)
    #expect(result.error.contains(message), "\(result.error)")
  }
}
