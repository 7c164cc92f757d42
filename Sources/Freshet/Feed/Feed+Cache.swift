internal import FreshetLists

extension Feed {
  // MARK: - The cache

  /// Shows the first rows from disk before it returns, and reads the rest in the background.
  ///
  /// Call it before the first screen is drawn. The work is bounded, whatever is stored (rule P1);
  /// later calls do nothing. Any load reads the cache too if this was not called before. A feed
  /// that is at work already shows the rows once it comes to that.
  public func loadCacheSynchronously() { startLoadingCache { _ in false } }

  /// Shows the rows on disk, all or as many as `maximumRows` lets in, and waits until they are
  /// shown; later calls do nothing.
  public func loadCache() async {
    startLoadingCache()
    _ = await wait { $0.waitForRestore($1) }
  }

  /// Forgets what is stored, and waits until it is gone.
  ///
  /// The rows in memory stay on screen; the next step stores them again.
  public func clearCache() async {
    await performed { [cache] engine, now in
      // In one turn: a step of another call would be forgotten with the rest, and count as stored.
      cache?.clear()
      return engine.machine.forgetStored(at: now)
    }
    await cache?.flush()
  }

  /// Waits until everything that is certain so far is stored.
  ///
  /// Edits that the source has not taken are not stored. Events and edits that an answer under way
  /// may contradict are stored once it is there.
  public func flush() async {
    // Nothing is stored over rows that nobody has read.
    await performed { $0.isCacheLoaded ? $0.machine.savePlace(at: $1) : [] }
    await cache?.flush()
  }

  /// Whether everything shown so far is stored.
  public var isSaved: Bool { cache?.isSaved ?? true }

  /// What goes wrong with the cache, and what already did; ends when the feed goes.
  public var cacheIssues: AsyncStream<CacheIssue> {
    cache?.issues() ?? AsyncStream { $0.finish() }
  }

  /// Reads the cache, unless that was done.
  ///
  /// Its first rows are one event, so that nothing can come before them; the rest follows when it
  /// is there, and answers wait for it.
  ///
  /// - Parameter isElsewhere: whether a task reads the first rows: files are no matter of the
  ///   caller's but where it asks for that.
  func startLoadingCache(asTaskIf isElsewhere: (Engine) -> Bool = { !$0.isCacheLoaded }) {
    guard let cache else { return }
    mailbox.post(asTaskIf: isElsewhere) { [self] engine in
      guard !engine.isCacheLoaded else { return {} }
      engine.isCacheLoaded = true
      engine.machine.beginRestoring()
      let first = cache.cache.loadFirst() ?? CachedRows()
      let afterwards = act(on: engine.machine.restore(first.erased, at: now()), &engine)
      let isRestoring = engine.machine.isRestoring
      return {
        afterwards()
        cache.reportIssues()
        guard isRestoring else { return }
        Task { @concurrent in
          let rest = await cache.cache.loadRest().erased
          self.perform { $0.restore(rest, at: $1) }
          cache.reportIssues()
        }
      }
    }
  }
}
