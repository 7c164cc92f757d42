import Foundation
import Freshet

/// A list in a terminal: events update the screen, and the session performs the screen's effects.
struct TerminalSession {
  /// The reason a session ended.
  enum End: Equatable {
    case quit
    /// A signal asked the process to end.
    case signal(Int32)
  }

  enum Event: Sendable {
    case screen(WatchScreen.Event)
    case input(TerminalInput)
    /// The rows or the state changed.
    case changed
  }

  let feed: Feed<WatchedItem>
  /// The rows that match the user's filter; `list` has the same rows in sections.
  let filtered: FilteredList<WatchedItem>
  let list: DerivedList<WatchedItem>
  let terminal: Terminal
  let rounds: LoadingRounds
  let outbox: OutboxFolder?
  /// The queue of events; other code may add events too.
  let events: EventQueue<Event>

  init(
    _ feed: Feed<WatchedItem>, _ rounds: LoadingRounds, _ outbox: OutboxFolder?,
    in terminal: Terminal, _ events: EventQueue<Event>
  ) {
    self.feed = feed
    self.rounds = rounds
    self.outbox = outbox
    self.terminal = terminal
    filtered = feed.filter { _ in true }
    list = filtered.sectioned { $0.section }
    self.events = events
  }

  /// Shows the list until the user quits or a signal ends the session.
  ///
  /// It restores the terminal at the end, also after an error.
  func run(_ options: WatchScreen.Options) async throws -> End {
    // Record signals before the terminal changes: a signal between these two calls could otherwise
    // end the process and leave the terminal changed.
    TerminalInput.read { [events] in events.put(.input($0)) }
    terminal.enter()
    defer { terminal.leave() }
    var screen = WatchScreen(options, size: Terminal.size, now: Date())
    feed.loadCacheSynchronously()
    let tasks = [
      news(), updates(), changes(), ticks(), edits(),
      Task { [rounds, feed] in await rounds.run(feed) },
    ]
    defer { for task in tasks { task.cancel() } }
    try terminal.show(screen.frame)
    for await _ in events.signals {
      for event in events.takeAll() {
        for event in screenEvents(event) {
          for effect in screen.handle(event) where !perform(effect) { return .quit }
        }
        if case .input(let input) = event, let end = end(input) { return end }
      }
      // All pending events share one frame, and a process in the background draws none.
      if Foreground.isOurs { try terminal.show(screen.frame) }
    }
    return .quit
  }

  private func screenEvents(_ event: Event) -> [WatchScreen.Event] {
    switch event {
    // The state is read here, so that an older state never follows a newer one.
    case .screen(.updated(let update, let rows)):
      [.updated(update, rows.standing(as: ScreenList(list.value, of: feed.value)))]
    case .changed: [.stands(ScreenList(list.value, of: feed.value))]
    case .screen(let event): [event]
    case .input(.keys(let keys)): keys.map { .key($0) }
    case .input(.signal(SIGWINCH)), .input(.signal(SIGCONT)): [.resized(Terminal.size)]
    case .input: []
    }
  }

  /// Handles an input; returns the reason to end the session, or `nil` to continue.
  private func end(_ input: TerminalInput) -> End? {
    switch input {
    case .keys, .signal(SIGWINCH): return nil
    case .signal(SIGCONT): return enter()
    case .signal(SIGTSTP):
      terminal.leave()
      SignalPipe.shared?.forget(TerminalInput.signals)
      _ = raise(SIGTSTP)
      return enter()
    case .signal(let signal): return .signal(signal)
    case .ended: return .signal(SIGHUP)
    }
  }

  /// Takes the screen once the process is in the foreground.
  ///
  /// - Returns: the reason to end the session if the process cannot get there, else `nil`.
  private func enter() -> End? {
    SignalPipe.shared?.forget(TerminalInput.signals)
    let isOurs = Foreground.wait()
    // Record signals before entering the screen, so that the session restores the terminal
    // before a signal ends the process.
    SignalPipe.shared?.note(TerminalInput.signals)
    guard isOurs else { return .signal(SIGHUP) }
    terminal.enter()
    // The terminal may be another one by now, or have another size.
    events.put(.input(.signal(SIGWINCH)))
    return nil
  }

  private func news() -> Task<Void, Never> {
    Task { [feed, events] in
      for await update in feed.updates { events.put(.screen(.came(update.step))) }
    }
  }

  private func updates() -> Task<Void, Never> {
    Task { [list, feed, events] in
      for await update in list.updates {
        events.put(.screen(.updated(update.step, ScreenList(update.value, of: feed.value))))
      }
    }
  }

  /// Observes all values of the list.
  ///
  /// If no row changed, no update reports that a load began or failed.
  private func changes() -> Task<Void, Never> {
    Task { [list, events] in
      for await _ in list.values { events.put(.changed) }
    }
  }

  /// Sends the time at intervals: ages increase, and marks expire.
  private func ticks() -> Task<Void, Never> {
    Task { [events] in
      while (try? await Task.sleep(for: .milliseconds(250))) != nil {
        events.put(.screen(.tick(Date())))
      }
    }
  }

  /// Looks into the outbox at intervals.
  private func edits() -> Task<Void, Never> {
    Task { [outbox, events] in
      var last: Set<RowID> = []
      while let outbox, !Task.isCancelled {
        let unsent = await outbox.unsent()
        if unsent != last { events.put(.screen(.unsent(unsent))) }
        last = unsent
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Performs an effect of the screen.
  ///
  /// - Returns: whether the session continues.
  private func perform(_ effect: WatchScreen.Effect) -> Bool {
    switch effect {
    case .quit: return false
    case .display(let items): for item in items { list.willDisplay(item) }
    case .filter(let text):
      let filter = RowFilter(text)
      filtered.replaceCondition(filter.includes)
    case .loadNext: Task { [feed] in await feed.loadNext() }
    case .loadPrevious: Task { [feed] in await feed.loadPrevious() }
    case .load(let gap): Task { [feed] in await feed.load(gap) }
    case .refresh(let scope): Task { [feed] in await feed.refresh(scope) }
    case .trace(let id):
      Task { [feed, events] in
        let trace = await feed.trace(of: id)?.description ?? "what nobody knows any more"
        events.put(.screen(.traced(id, trace)))
      }
    case .open(let url):
      Browser.open(url) { [events] in events.put(.screen(.said($0))) }
    }
    return true
  }
}
