extension String {
  /// The text that bytes are in UTF-8; `nil` where they are not.
  ///
  /// It is `String(validating:as:)`, which needs iOS 18 and macOS 15.
  init?(validUTF8 bytes: some Collection<UInt8>) {
    // Whatever is no UTF-8 is replaced, by bytes that differ from it.
    let text = String(decoding: bytes, as: UTF8.self)
    let isSame = bytes.withContiguousStorageIfAvailable { bytes in
      unsafe text.utf8.withContiguousStorageIfAvailable { unsafe $0.elementsEqual(bytes) }
    }
    guard (isSame ?? nil) ?? text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
