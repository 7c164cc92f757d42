/// The key of a counted page, and a summary of the page before it.
struct PageNumberKey: Hashable, Codable, Sendable {
  /// The number or URL of the page.
  let page: String
  /// The number or URL of the page above.
  let above: String
  let overlap: PageOverlapProof

  private enum CodingKeys: String, CodingKey {
    case page, above
    case overlap = "seam"
  }
}
