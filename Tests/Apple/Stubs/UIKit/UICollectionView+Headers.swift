// Headers, as a layout asks for them: one for each section of which something is visible.
extension UICollectionView {
  private final class Environment: NSObject, NSCollectionLayoutEnvironment {}

  /// Whether the layout has a header for a section.
  func stubHasHeader(_ section: Int) -> Bool {
    let provider = (collectionViewLayout as? UICollectionViewCompositionalLayout)?.provider
    return provider?(section, Environment())?.stubHeaderMode == .supplementary
  }

  func layOutHeaders() {
    for section in Set(stub.visiblePaths.map(\.section)).sorted() {
      guard stubHasHeader(section) else {
        stubHeaders[section] = nil
        continue
      }
      if stubHeaders[section] == nil {
        stubHeaders[section] = dataSource?.collectionView(
          self, viewForSupplementaryElementOfKind: Self.elementKindSectionHeader,
          at: IndexPath(item: 0, section: section))
      }
      stubHeaders[section]?.frame = stubPinnedPlace(ofHeader: section)
    }
  }

  /// Where a header is: in a plain list it stays at the top as long as its section is visible.
  private func stubPinnedPlace(ofHeader section: Int) -> CGRect {
    let place = stub.place(ofHeader: section)
    let height = place.upperBound - place.lowerBound
    let rows = stub.sections[section].reduce(0) { $0 + $1.height }
    let pinned = max(place.lowerBound, contentOffset.y + adjustedContentInset.top)
    return CGRect(
      x: 0, y: min(pinned, place.upperBound + rows - height), width: bounds.width, height: height)
  }

  /// Sections may stand elsewhere: their headers are asked for anew.
  func dropHeaders() {
    stubHeaders = [:]
    if window != nil { layOutHeaders() }
  }

  // developer.apple.com/documentation/uikit/uicollectionview/supplementaryview(forelementkind:at:)
  // Only of those that are visible.
  public func supplementaryView(
    forElementKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView? {
    elementKind == Self.elementKindSectionHeader ? stubHeaders[indexPath.section] : nil
  }

  // developer.apple.com/documentation/uikit/uicollectionview/layoutattributesforsupplementaryelement(ofkind:at:)
  public func layoutAttributesForSupplementaryElement(
    ofKind kind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    guard kind == Self.elementKindSectionHeader,
      stub.sections.indices.contains(indexPath.section), stubHasHeader(indexPath.section)
    else { return nil }
    let attributes = UICollectionViewLayoutAttributes()
    attributes.indexPath = indexPath
    attributes.frame = stubPinnedPlace(ofHeader: indexPath.section)
    return attributes
  }
}
