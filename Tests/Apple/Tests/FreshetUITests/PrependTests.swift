import FreshetLists
import FreshetTesting
import Testing
import UIKit

@testable import Freshet
@testable import FreshetUI

/// Pages that are inserted above the rows on screen.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct PrependTests {
  private let server = ScriptedServer((0..<1_000).map { Post(id: $0) })

  @Test(arguments: [true, false])
  func `U5: a page above the screen is loaded once, and not those above it`(isTable: Bool)
    async throws
  {
    let feed = await feed(pageSize: 25)
    #expect(feed.items.first?.id == 500)
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    let (view, source) = show(feed, isTable: isTable, in: window)
    // The list begins in the middle, and a row that is near the page above is on screen.
    #expect(await loads(feed, to: 475))
    #expect(server.requests.count == 2 && Double(view.contentOffset.y) == 44 * 25)
    // The reader scrolls up until the next page above is near; the row at the top stays there.
    view.contentOffset.y = 44 * 8
    #expect(await loads(feed, to: 450))
    #expect(server.requests.count == 3 && Double(view.contentOffset.y) == 44 * 33)
    _ = source
  }

  @Test
  func `U5: pages above are loaded until the rows on screen are far enough from the head`()
    async throws
  {
    let feed = await feed(pageSize: 4)
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    let (view, source) = show(feed, isTable: true, in: window)
    // Three pages of four rows are above a prefetch distance of ten.
    #expect(await loads(feed, to: 488))
    _ = (view, source)
  }

  /// A list that begins in the middle.
  private func feed(pageSize: Int) async -> FeedController<Post> {
    let feed = FeedController(
      server.source(.keyset), startingAt: server.key(ofPageAt: 500),
      configuration: FeedConfiguration(pageSize: pageSize))
    await feed.refresh()
    return feed
  }

  /// Whether the list comes to rest with this row at its head.
  private func loads(_ feed: FeedController<Post>, to id: Int) async -> Bool {
    guard await eventually({ feed.items.first?.id == id }) else { return false }
    while await feed.list.loads > 0 { await Task.yield() }
    return feed.items.first?.id == id
  }

  private func show(
    _ feed: FeedController<Post>, isTable: Bool, in window: UIWindow
  ) -> (view: UIScrollView, source: AnyObject) {
    let options = ScreenOptions(keptPlace: .always)
    if isTable {
      let view = UITableView(frame: window.frame, style: .plain)
      view.register(UITableViewCell.self, forCellReuseIdentifier: "post")
      let source = TableSource(view, feed, options: options) { view, path, _ in
        view.dequeueReusableCell(withIdentifier: "post", for: path)
      }
      window.addSubview(view)
      return (view, source)
    }
    let view = UICollectionView(
      frame: window.frame, collectionViewLayout: UICollectionViewCompositionalLayout())
    view.register(UICollectionViewListCell.self, forCellWithReuseIdentifier: "post")
    let source = CollectionSource(view, feed, options: options) { view, path, _ in
      view.dequeueReusableCell(withReuseIdentifier: "post", for: path)
    }
    window.addSubview(view)
    return (view, source)
  }
}
