extension ListSnapshot {
  /// Returns the batch of changes that leads from an earlier snapshot to this one.
  ///
  /// - Returns: one legal batch with the fewest moves (rules C1–C3); empty if the two are equal.
  /// - Complexity: O(*n*), and O(*m* log *m*) for *m* rows that are out of place; sections and
  ///   leaves that share storage are skipped.
  @inlinable
  public func changes(from before: ListSnapshot) -> ListChanges {
    let edits = ListChanges.sectionsThatStay(from: before, to: self).map { pair in
      DifferenceScan.edits(
        from: before.refs.sections[pair.before].rows, to: refs.sections[pair.after].rows,
        sections: pair)
    }
    return ListChanges(from: before, to: self, edits: edits)
  }
}

extension ListChanges {
  /// Returns the sections that stay, ascending.
  ///
  /// These are the heaviest increasing subsequence, by number of rows, of the sections with a name
  /// in both lists.
  ///
  /// - Complexity: O(sections), and O(*s* log *s*) for *s* sections out of place.
  @inlinable
  package static func sectionsThatStay<Item>(
    from before: ListSnapshot<Item>, to after: ListSnapshot<Item>
  ) -> [SectionRowEdits] {
    sectionsThatStay(from: before.refs.sections, to: after.refs.sections)
  }

  @usableFromInline
  static func sectionsThatStay(
    from old: CountedTree<SectionRefs>, to new: CountedTree<SectionRefs>
  ) -> [SectionRowEdits] {
    var head = 0
    while head < old.count, head < new.count, old[head].name == new[head].name { head += 1 }
    var tail = 0
    while tail < old.count - head, tail < new.count - head,
      old[old.count - 1 - tail].name == new[new.count - 1 - tail].name
    { tail += 1 }

    var places: [String: Int] = [:]
    for section in head..<(new.count - tail) { places[new[section].name] = section }
    var candidates: [SectionRowEdits] = []
    for section in head..<(old.count - tail) {
      guard let place = places.removeValue(forKey: old[section].name) else { continue }
      candidates.append(SectionRowEdits(before: section, after: place))
    }
    let kept = IncreasingSubsequences.heaviest(
      of:
        candidates.map(\.after), weights: candidates.map { old[$0.before].rows.count + 1 })

    var stay = (0..<head).map { SectionRowEdits(before: $0, after: $0) }
    stay += zip(candidates, kept).lazy.filter(\.1).map(\.0)
    stay += (0..<tail).reversed().map {
      SectionRowEdits(before: old.count - 1 - $0, after: new.count - 1 - $0)
    }
    return stay
  }
}
