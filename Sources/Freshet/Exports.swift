// Whoever imports Freshet sees the lists it speaks of.
#if !EXCLUDE_EXPORTS
  @_exported public import FreshetLists
#endif
