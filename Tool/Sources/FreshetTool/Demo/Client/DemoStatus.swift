import Freshet

extension DemoPage {
  /// All that the page shows beside the rows.
  struct Status: Equatable, Encodable {
    struct Server: Equatable, Encodable {
      var mode: ServerMode
      var playing: Bool
      var requests: Int
      var stars: Int
    }

    /// An error in words for people, and in detail for those who ask.
    struct Trouble: Equatable, Encodable {
      let message: String
      let advice: String?
      let detail: String

      init(_ error: any Error, isRetriedByItself: Bool = false) {
        let notice = ErrorNotice(error, isRetriedByItself: isRetriedByItself)
        message = notice.message
        advice = notice.isRetriedByItself ? "Trying again until it works." : notice.advice
        detail = "\(LogText("\(error)", limit: 3000))"
      }

      /// Creates the trouble of a change that was taken back, so that there is nothing to advise.
      init(takingBack notice: ErrorNotice) {
        (message, advice, detail) = (notice.message, nil, "")
      }
    }

    /// The state of an edge of the list: `idle`, `loading`, `retrying`, `failed` or `end`.
    struct Edge: Equatable, Encodable {
      let load: String
      let trouble: Trouble?

      init(_ state: LoadState, retrying: FeedError?) {
        if let retrying {
          (load, trouble) = ("retrying", Trouble(retrying, isRetriedByItself: true))
        } else {
          (load, trouble) = (state.word, state.failure.map { Trouble($0) })
        }
      }
    }

    var refresh: Edge
    var next: Edge
    var gaps: [String: Edge]
    /// Why the last star was taken back.
    var starTrouble: Trouble?
    /// How many stars the server has not answered for.
    var unsent: Int
    /// The quakes on display with such a star.
    var pending: [String]
    /// How many new rows are held back above the list.
    var newItems: Int
    var refreshedAt: Int?
    /// Whether the rows are those of an earlier run.
    var cached: Bool
    var saved: Bool
    /// The search, and whether the rows are still those from before it.
    var query: String
    var showsOldRows: Bool
    var server: Server
  }
}
