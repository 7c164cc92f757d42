import FreshetTesting

@testable import Freshet

/// Tests of feeds of one server.
protocol FeedSuite {
  var server: ScriptedServer<Post> { get }
}

extension FeedSuite {
  func feed(
    _ paging: ScriptedPaging = .keyset, cache: FeedCacheChoice<Post>? = nil, pageSize: Int = 10,
    policy: FeedConfiguration.RefreshPolicy = .keepGap, refreshPages: Int = 3
  ) -> Feed<Post> {
    Feed(
      server.source(paging), cache: cache,
      configuration: FeedConfiguration(
        pageSize: pageSize, refreshPolicy: policy, refreshPages: refreshPages))
  }
}
