import Foundation
import Freshet

/// An update as `freshet watch` writes it: one line of JSON.
struct UpdateLine: Encodable {
  struct State: Encodable {
    let refresh: String
    let append: String
  }

  let origin: String
  let count: Int
  let gaps: Int
  let state: State
  let changes: [RowOperation<JSONValue>]

  init(_ list: ListUpdate<WatchedItem>, _ value: FeedValue<WatchedItem>) {
    origin = list.origin.rawValue
    count = list.after.count
    gaps = value.state.gaps.count
    state = State(
      refresh: value.state.refresh.word, append: value.state.append.word)
    changes = list.operations { ($0.id, $0.value) }
  }

  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}

extension LoadState {
  /// The state in one word.
  var word: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .failed: "failed"
    case .end: "end"
    }
  }
}
