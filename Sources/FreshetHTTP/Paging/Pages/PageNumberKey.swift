internal import Freshet

/// The key of a counted page, and a summary of the page before it.
struct PageNumberKey: Hashable, Codable, Sendable {
  /// The number or URL of the page.
  let page: String
  /// The number or URL of the page above.
  let above: String
  let overlap: PageOverlapProof

  /// Returns the key of the page that contains a row, counted from the first row of this page.
  ///
  /// It is `nil` unless all pages above have the same number of rows.
  func page(ofRow row: Int) -> NumberedKey? {
    guard row >= 0, let number = Int(page), let size = overlap.pageSize else { return nil }
    let (found, isBeyond) = number.addingReportingOverflow(row / size)
    return isBeyond ? nil : NumberedKey(number: found, size: size)
  }

  private enum CodingKeys: String, CodingKey {
    case page, above
    case overlap = "seam"
  }
}
