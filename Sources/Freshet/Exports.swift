// Code that imports Freshet sees the lists that its API refers to.
@_exported public import FreshetLists
