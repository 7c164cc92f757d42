// The lists that show the mutations of an outbox.
extension Outbox {
  /// Shows the mutations in a list, those that are stored and later ones.
  ///
  /// Mutations of items of the list's type are shown where the list has the item. Attach a list
  /// when it is created, so that it shows stored mutations before its source answers.
  ///
  /// - Parameters:
  ///   - list: the list; held weakly.
  ///   - name: a name of the list that stays the same. An insertion that was performed for a list
  ///     of a name is shown in lists of that name only; any other one in all lists of its items.
  public func attach(_ list: some EditableList, as name: String? = nil) {
    if let list = list as? any FamilyList { return list.attachFamily(to: self, as: name) }
    let attached = AttachedList(list, as: name)
    state.withLock { state in
      state.lists.removeAll { $0.list == nil }
      if let index = state.lists.firstIndex(where: { $0.list === list }) {
        if let name { state.lists[index].name = name }
        return
      }
      state.lists.append(attached)
      state.displays.add(.show(state.mutations, in: [attached]))
    }
    updateLists()
  }

  func display(_ mutation: OutboxMutation, in lists: [AttachedList]) {
    let lists = lists.filter { $0.shows(mutation) }
    guard !lists.isEmpty, let read = try? senders[mutation.name]?.coding.edit(mutation) else {
      return
    }
    let edits = lists.compactMap { $0.show(read.edit, read.target) }
    let (isGone, isAnswered) = state.withLock { state in
      let isThere =
        state.queue[mutation.id] != nil || state.early.contains { $0.mutation.id == mutation.id }
      if isThere { state.displayed[mutation.id, default: []] += edits }
      return (!isThere, state.answered.contains(mutation.id))
    }
    guard isGone else { return }
    Task {
      for edit in edits { if isAnswered { await edit.confirm(nil) } else { await edit.undo() } }
    }
  }

  func takeDisplayed(_ id: String) -> [OverlayEdit] {
    state.withLock { $0.displayed.removeValue(forKey: id) ?? [] }
  }
}
