import Filtering
import Support

/// Nanoseconds of an option that is a time.
func time(_ text: String, _ option: String) throws -> Int64 {
  guard let value = duration(text), value > 0 else {
    throw RSSIError(.usage, "\(option) \"\(text)\" is no time: write 500ms, 10s, 5m or 1h")
  }
  return value
}
