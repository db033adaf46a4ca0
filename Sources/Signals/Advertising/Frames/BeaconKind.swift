/// The beacon formats, by the names used in files and on the command line.
public enum BeaconKind: String, CaseIterable, Sendable {
  case iBeacon = "ibeacon"
  case altBeacon = "altbeacon"
  case eddystoneUID = "eddystone-uid"
  case eddystoneURL = "eddystone-url"
  case eddystoneTLM = "eddystone-tlm"
  case eddystoneEID = "eddystone-eid"
  case other
}
