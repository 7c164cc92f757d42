#if Postgres
  internal import Freshet
  internal import FreshetLists

  /// An observer of the windows that the feeds of a source show.
  ///
  /// After a commit, one statement finds which of them it concerns. Only their feeds read again.
  final class WindowTracker<Item: ListItem & Codable>: Sendable where Item.ID: Encodable {
    typealias Events = AsyncThrowingStream<FeedEvent<Item>, any Error>
    typealias MakeReader = @Sendable () async throws -> KeysetReader<Item>

    private struct State {
      var answers = WindowAnswers()
      var listeners: [Int: Events.Continuation] = [:]
      var lastListener = 0
      /// The task that follows the table while there are listeners, and its number.
      var task: (run: Int, task: Task<Void, Never>)?
      var lastRun = 0
      /// Whether that task has reported its first event.
      var isListening = false

      /// Ends the report of changes, and returns its task.
      mutating func end() -> Task<Void, Never>? {
        defer { (task, isListening) = (nil, false) }
        return task?.task
      }
    }

    private let store: PostgresStore<Item>
    /// Prepares to read the table as it is now.
    let makeReader: MakeReader
    private let state = Locked(State())

    init(_ store: PostgresStore<Item>, _ makeReader: @escaping MakeReader) {
      (self.store, self.makeReader) = (store, makeReader)
    }

    // MARK: - Answers

    /// Reads windows, or finds them unchanged, see `KeysetReader`.
    @concurrent
    func pages(
      in windows: [PageWindow<KeysetKey>], ofSize size: Int, limit: Int
    ) async throws -> [[Page<Item, KeysetKey>]] {
      var answers = try await makeReader().pages(
        in: windows.map(WindowAnswers.digested), ofSize: size, limit: limit)
      state.withLock { state in
        for (index, window) in windows.enumerated() {
          if answers[index].contains(where: \.isUnchanged) {
            state.answers.keep(window)
          } else if answers[index].count == 1, let digest = answers[index][0].validator {
            answers[index][0].validator = state.answers.add(
              PageWindow(start: window.start, end: window.end, validator: digest))
          }
        }
      }
      return answers
    }

    // MARK: - Changes

    /// Returns an event after each commit that changed rows of the table.
    ///
    /// - Parameter limit: the number of rows after which an answer is cut off.
    func changes(limit: Int) -> Events {
      Events(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let listener = state.withLock { state in
          state.lastListener += 1
          state.listeners[state.lastListener] = continuation
          if state.task == nil {
            state.lastRun += 1
            let run = state.lastRun
            state.task = (
              run, Task(priority: .medium) { @concurrent in await self.follow(run, limit) }
            )
          } else if state.isListening {
            // Later commits are reported. The feed's rows may be older.
            continuation.yield(.invalidate)
          }
          return state.lastListener
        }
        continuation.onTermination = { [weak self] _ in self?.remove(listener) }
      }
    }

    private func remove(_ listener: Int) {
      let ended = state.withLock { state in
        state.listeners[listener] = nil
        return state.listeners.isEmpty ? state.end() : nil
      }
      ended?.cancel()
    }

    /// Reports to the listeners until the table cannot be followed any more.
    private func follow(_ run: Int, _ limit: Int) async {
      var failure: (any Error)?
      do {
        for try await _ in store.changes() {
          let unchanged = try? await findUnchanged(limit)
          let listeners = state.withLock { state in
            guard state.task?.run == run else { return [Events.Continuation]() }
            if unchanged == nil { state.answers.removeAll() }
            state.isListening = true
            return Array(state.listeners.values)
          }
          // If the windows cannot be read, each feed tries it itself, and shows the reason.
          let event = unchanged.map { FeedEvent<Item>.invalidateWindows(except: $0) }
          for listener in listeners { listener.yield(event ?? .invalidate) }
        }
      } catch { failure = error }
      let listeners = state.withLock { state in
        guard state.task?.run == run else { return [Events.Continuation]() }
        _ = state.end()
        defer { state.listeners = [:] }
        return Array(state.listeners.values)
      }
      for listener in listeners { listener.finish(throwing: failure) }
    }

    /// Returns the validators of the windows whose rows have not changed.
    private func findUnchanged(_ limit: Int) async throws -> Set<String> {
      let windows = state.withLock(\.answers.windows)
      let digests = try await makeReader().digests(of: windows, limit: limit)
      return state.withLock { $0.answers.check(windows, digests) }
    }
  }
#endif
