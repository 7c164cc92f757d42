// A complete screen in SwiftUI: search, pull to refresh, paging, gaps, failure, empty and first
// load.

#if canImport(SwiftUI)
  import Freshet
  import FreshetUI
  import SwiftUI

  struct Book: ListItem, Codable {
    let id: Int
    var title: String
  }

  struct API: Sendable {
    func books(
      _ query: String, after cursor: String?, count: Int
    ) async throws -> (books: [Book], cursor: String?) {
      ([Book(id: 1, title: "\(query), the book")], nil)
    }
  }

  let api = API()

  // snippet.show
  let books = FeedFamily(cache: .files("books")) { (query: String) in
    ClosureSource { (request: PageRequest<String>) in
      let answer = try await api.books(query, after: request.key, count: request.limit)
      return Page(answer.books, next: answer.cursor)
    }
  }

  struct Library: View {
    @State private var found = QueryController(books, query: "")

    var body: some View {
      LiveListView(found) { book in
        Text(book.title)
      }
      .searchable(found, prompt: "Titles")
      .opacity(found.isShowingOldRows ? 0.5 : 1)
      .task { await found.refresh() }
    }
  }
  // snippet.hide

  // snippet.parts
  struct Shelf: View {
    let feed: FeedController<Book>

    var body: some View {
      LiveListView(feed) { book in
        Text(book.title)
      }
      .sectionHeader { title in Text(title).font(.headline) }
      .gapRow { gap in Button("Load what is missing", action: gap.load) }
      .edgeRow { edge in if edge.state == .end { Text("That was all.") } }
      .firstLoad { ProgressView() }
      .emptyList { Text("No books yet.") }
      .failure { notice in
        Text(notice.message)
        if notice.action == .retry { Button("Try Again") { feed.retry() } }
      }
      .topRow(id: Bindable(feed).anchor)  // the reader's place, kept over a relaunch
      .refreshable { await feed.refresh(.visible) }
    }
  }
  // snippet.hide

  // snippet.row
  /// One row that hears of its own changes and of no others'.
  struct BookCell: View {
    let row: ObservableRow<Book>  // feed.row(book.id)

    var body: some View {
      if let book = row.item {
        Text(book.title).opacity(row.isPending ? 0.5 : 1)
      }
    }
  }

  /// A `List`, for those who stay with it: collections in O(log n), and rows that hear of
  /// themselves.
  struct PlainList: View {
    let feed: FeedController<Book>

    var body: some View {
      List {
        ForEach(feed.items) { book in
          BookCell(row: feed.row(book.id)).onAppear { feed.willDisplay(book) }
        }
      }
    }
  }
  // snippet.hide

  // snippet.live
  struct Favourites: View {
    @Live<Book, MemoryStore<Book>.Request>(.all, arrangement: .all.sorted(by: \.title)) var books

    var body: some View {
      LiveListView($books) { book in
        Text(book.title)
      }
      .emptyList { Text("No favourites yet.") }
    }
  }

  struct Root: View {
    let store: MemoryStore<Book>

    var body: some View { Favourites().liveStore(store) }
  }
  // snippet.hide

  // snippet.arranged
  struct Arranged: View {
    @Live<Book, MemoryStore<Book>.Request> var books: LoadedItems<Book>

    init(by direction: ListDirection) {
      _books = Live(.all, arrangement: .all.sorted(by: \.title, direction), id: direction)
    }

    var body: some View {
      LiveListView($books) { book in
        Text(book.title)
      }
    }
  }
  // snippet.hide

  // snippet.moved
  struct Ranking: View {
    let books: ResultsController<Book, MemoryStore<Book>.Request>
    let rank: @MainActor (Book, _ below: Book?) async throws -> Void  // writes to the store
    @State private var failure: ErrorNotice?

    var body: some View {
      List {
        ForEach(books.fetchedObjects) { book in Text(book.title) }
          .onMove { rows, target in
            guard let row = rows.first else { return }
            let book = books.fetchedObjects[row]
            let above = target == 0 ? nil : books.fetchedObjects[target - 1]
            let move = books.move(book.id, after: above?.id) { try await rank(book, above) }
            // Where the store refuses it, the row is back by then.
            Task { do { try await move.value } catch { failure = ErrorNotice(error) } }
          }
        if let failure { Text(failure.message) }
      }
    }
  }
  // snippet.hide

  // snippet.preview
  struct ShelfPreviews: PreviewProvider {
    static let book = Book(id: 1, title: "Maps")

    static var previews: some View {
      Shelf(feed: .preview([book]))
      Shelf(feed: .preview([], state: .loading))
      Shelf(feed: .preview([], state: .failed(URLError(.notConnectedToInternet))))
      Shelf(feed: .preview(rows: [.item(book), .gap(Gap(id: 1))]))
    }
  }
// snippet.hide
#endif
