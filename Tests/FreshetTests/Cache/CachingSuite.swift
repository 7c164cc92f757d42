import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What tests of feeds on disk share: a folder, and feeds that are written and read in it.
protocol CachingSuite {
  var directory: TemporaryDirectory { get }
}

extension CachingSuite {
  /// A cache of a name.
  ///
  /// - Parameter longLog: how long a log is that ends with how the list begins.
  func cache(
    _ name: String = "home", version: Int = 1, longLog: Int = FileFeedState<Post>.longLog
  ) -> FileFeedCache<Post> {
    FileFeedCache(
      name, version: version, in: directory.caches, coder: JSONCoder(), locks: .shared,
      longLog: longLog)
  }

  /// A machine with some pages loaded, and every commit it asked for.
  func pages(_ count: Int, size: Int = 40) -> [FeedCommit<Post>] {
    var commits: [FeedCommit<Post>] = []
    var machine = FeedMachine(
      configuration: FeedConfiguration(pageSize: size), continuity: .stable, sectionedBy: nil)
    for page in 0..<count {
      var effects = machine.effects(of: { $0.load(page == 0 ? .refresh : .next) })
      guard case .load(.fetch(let ticket, _))? = effects.first else { break }
      let posts = (page * size..<(page + 1) * size).map { Post(id: $0) }
      let answer = Page(posts, next: PageKey(json: "\(page + 1)"))
      effects = machine.effects(of: {
        $0.receive(
          .success(answer), for: ticket, at: Date(timeIntervalSince1970: 7))
      })
      commits += effects.commits()
    }
    return commits
  }

  func load(_ cache: FileFeedCache<Post>) -> FeedMachine {
    var machine = FeedMachine(
      configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
    machine.beginRestoring()
    let first = cache.loadFirst() ?? CachedRows()
    machine.restore(first, at: .distantPast)
    if !first.isComplete { machine.restore(cache.loadRest(), at: .distantPast) }
    return machine
  }

  /// Where the feed of a name is.
  func folder(_ name: String = "home") -> URL { directory.caches.folder(for: name, of: .feed) }

  /// What a machine asks to be stored when the head of its list is this page.
  func commits<Item: ListItem>(_ page: Page<Item, PageKey>) -> [FeedCommit<Item>] {
    var machine = FeedMachine(
      configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
    guard case .load(.fetch(let ticket, _))? = machine.effects(of: { $0.load(.refresh) }).first
    else { return [] }
    return machine.effects(of: { $0.receive(.success(page.erased), for: ticket, at: .distantPast) })
      .commits()
  }

  /// The issues that say a step was not stored.
  func unsaved(_ issues: [CacheIssue]) -> [CacheIssue] {
    issues.filter { if case .notSaved = $0 { true } else { false } }
  }
}
