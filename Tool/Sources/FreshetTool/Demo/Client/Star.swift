import Freshet

/// A star that is given to a quake, or taken from it.
struct Star: Mutation {
  var target: Quake.ID
  var isStarred: Bool

  func edit() -> ItemEdit<Quake> {
    .update { [isStarred] in $0.properties.starred = isStarred }
  }

  /// A star that is taken back before it was sent is never sent.
  func merging(_ earlier: Star) -> MutationMerge<Star> {
    earlier.isStarred == isStarred ? .replacement(self) : .cancellation
  }
}
