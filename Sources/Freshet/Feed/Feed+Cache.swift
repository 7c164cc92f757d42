internal import FreshetLists

extension Feed {
  // MARK: - The cache

  /// Shows the first rows from disk before it returns, and reads the rest in the background.
  ///
  /// Call it before the first screen is drawn. The work is bounded, whatever is stored (rule P1);
  /// later calls do nothing. Any load reads the cache too if this was not called before. A feed
  /// that is at work already shows the rows once it comes to that.
  public func loadCacheSynchronously() { engine.startLoadingCache { _ in false } }

  /// Shows the rows on disk, all or as many as `maximumRows` lets in, and waits until they are
  /// shown; later calls do nothing.
  public func loadCache() async {
    engine.startLoadingCache()
    _ = await engine.wait { $0.waitForRestore($1) }
  }

  /// Forgets what is stored, and waits until it is gone.
  ///
  /// The rows in memory stay on screen; the next step stores them again.
  public func clearCache() async {
    await engine.performed { [cache] state, now in
      // In one turn: a step of another call would be forgotten with the rest, and count as stored.
      cache?.clear()
      return state.machine.forgetStored(at: now)
    }
    await cache?.flush()
  }

  /// Waits until everything that is certain so far is stored.
  ///
  /// Edits that the source has not taken are not stored. Events and edits that an answer under way
  /// may contradict are stored once it is there.
  public func flush() async {
    // Nothing is stored over rows that nobody has read.
    await engine.performed { $0.isCacheLoaded ? $0.machine.savePlace(at: $1) : [] }
    await cache?.flush()
  }

  /// Whether everything shown so far is stored.
  public var isSaved: Bool { cache?.isSaved ?? true }

  /// What goes wrong with the cache, and what already did; ends when the feed goes.
  public var cacheIssues: AsyncStream<CacheIssue> {
    cache?.issues() ?? AsyncStream { $0.finish() }
  }
}
