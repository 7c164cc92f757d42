// Headers, as a layout asks for them: one for each section of which something is visible.
extension UICollectionView {
  private final class Environment: NSCollectionLayoutEnvironment {}

  func layOutHeaders() {
    guard let provider = (collectionViewLayout as? UICollectionViewCompositionalLayout)?.provider
    else { return }
    for section in Set(stub.visiblePaths.map(\.section)).sorted() {
      let mode = provider(section, Environment())?.stubHeaderMode ?? .none
      guard mode == .supplementary else {
        stubHeaders[section] = nil
        continue
      }
      if stubHeaders[section] == nil {
        stubHeaders[section] = dataSource?.collectionView(
          self, viewForSupplementaryElementOfKind: Self.elementKindSectionHeader,
          at: IndexPath(item: 0, section: section))
      }
    }
  }

  /// Sections may stand elsewhere: their headers are asked for anew.
  func dropHeaders() {
    stubHeaders = [:]
    layOutHeaders()
  }
}
