internal import FreshetLists

extension Feed {
  // MARK: - The cache

  /// Shows the first rows from disk before it returns, and reads the rest in the background.
  ///
  /// Call it before the first screen is drawn. The work is bounded, however many rows are stored
  /// (rule P1). Later calls do nothing. Any load reads the cache too if this was not called
  /// before. If the feed is busy, it shows the rows once it has finished.
  public func loadCacheSynchronously() { engine.startLoadingCache { _ in false } }

  /// Shows the rows on disk, up to `maximumRows`, and waits until they are shown.
  ///
  /// Later calls do nothing.
  public func loadCache() async {
    engine.startLoadingCache()
    _ = await engine.wait { $0.waitForRestore($1) }
  }

  /// Removes everything that is stored of the feed, and waits until it is removed.
  ///
  /// The rows in memory stay on screen; the next step stores them again.
  public func clearCache() async {
    await engine.performed { [cache] state, now in
      // Both happen in one event. Otherwise the step of another call could be removed with the
      // rest, and still count as stored.
      cache?.clear()
      state.machine.forgetStored(at: now)
    }
    await cache?.flush()
  }

  /// Waits until all settled changes so far are stored.
  ///
  /// Edits that the source has not confirmed are not stored. Events and edits that a running
  /// request may contradict are stored once its answer has arrived.
  public func flush() async {
    // If the cache was not read yet, nothing is stored over its rows.
    await engine.performed { if $0.isCacheLoaded { $0.machine.savePlace(at: $1) } }
    await cache?.flush()
  }

  /// Stores what the feed shows, and returns whether the cache has all of it in its newest version.
  ///
  /// A feed that has rows only on disk keeps newer versions of them until it reads them.
  func storeAll() async -> Bool {
    await flush()
    let isComplete = await engine.eventQueue.ask { state in
      let machine = state.machine
      return state.isCacheLoaded && !machine.isRestoring && machine.timeline.evicted.runs.isEmpty
    }
    return isComplete && cache?.isStored ?? true
  }

  /// Whether everything shown so far is stored.
  public var isSaved: Bool { cache?.isSaved ?? true }

  /// The problems of the cache, earlier ones included; ends when the feed is released.
  public var cacheIssues: AsyncStream<CacheIssue> {
    cache?.issues() ?? AsyncStream { $0.finish() }
  }
}
