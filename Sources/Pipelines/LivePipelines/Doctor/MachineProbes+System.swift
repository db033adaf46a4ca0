import Support

/// What recordings and reports need besides a radio.
extension MachineProbes {
  var clockCheck: MachineCheck {
    isSynchronised()
      ? MachineCheck("clock", .ok, "synchronised by a time service")
      : MachineCheck(
        "clock", .warning, "no time service keeps the clock right",
        advice: "run `sudo timedatectl set-ntp true`: receivers and truth are matched by time")
  }

  var pictures: [MachineCheck] {
    [
      ("gnuplot", "only pictures need it"),
      ("rsvg-convert", "only PNG and PDF of floor plans need it"),
    ]
    .map { name, advice in
      do throws(RSSIError) {
        return MachineCheck(name, .ok, try drawingProgram(name))
      } catch {
        return MachineCheck(name, error, state: .warning, advice: advice)
      }
    }
  }

  var libraryVersions: MachineCheck {
    MachineCheck("libraries", .ok, libraries.joined(separator: ", "))
  }

  /// An hour of dense advertisements takes some 100 MB before it is packed.
  var diskSpace: MachineCheck {
    guard let bytes = freeSpace() else {
      return MachineCheck("disk", .unknown, "the current folder does not say what is free")
    }
    let finding = "\(bytes / 1_000_000) MB free in the current folder"
    switch bytes {
    case ..<10_000_000:
      return MachineCheck("disk", .problem, finding, advice: "free some space, or use another disk")
    case ..<1_000_000_000:
      return MachineCheck("disk", .warning, finding, advice: "free some space for long captures")
    default: return MachineCheck("disk", .ok, finding)
    }
  }
}
