import Support

/// What to do about an adapter that is off and that this program will not switch on.
func switchedOff(_ adapter: Adapter) -> RSSIError {
  let name = adapter.name
  let words =
    switch RadioSwitch(ofAdapter: name) {
    case .open:
      "\(name) is off; switch it on: `sudo hciconfig \(name) up` or `bluetoothctl power on`"
    case .soft:
      "\(name) is off, blocked by rfkill; run `rfkill unblock bluetooth`, then `sudo hciconfig "
        + "\(name) up`"
    case .hard:
      "\(name) is off, by a switch or key of the machine; switch that on, then `sudo hciconfig "
        + "\(name) up`"
    }
  return RSSIError(.unavailable, words)
}
