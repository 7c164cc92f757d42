import Freshet

extension DemoClient {
  /// All that the page shows beside the rows.
  struct Status: Equatable, Encodable {
    struct Server: Equatable, Encodable {
      var mode: ServerMode
      var playing: Bool
      var requests: Int
    }

    /// An error, in words for people, and in detail for those who ask.
    struct Trouble: Equatable, Encodable {
      let message: String
      let advice: String?
      let detail: String

      init(_ error: FeedError) {
        let notice = ErrorNotice(error)
        (message, advice, detail) = (notice.message, notice.advice, error.description)
      }
    }

    var refresh: String
    var next: String
    var gaps: [String: String]
    /// Why the head, or the end, could not be loaded.
    var refreshError: Trouble?
    var nextError: Trouble?
    /// Why the last edit was undone.
    var editError: String?
    /// How many new rows wait above the list.
    var newItems: Int
    var refreshedAt: Int?
    /// Whether the rows are those of an earlier run.
    var cached: Bool
    var saved: Bool
    /// What is searched for, and whether the rows are still those from before.
    var query: String
    var showsOldRows: Bool
    var server: Server
  }
}
