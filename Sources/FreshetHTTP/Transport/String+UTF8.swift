extension String {
  /// Decodes UTF-8; `nil` if the bytes are not valid.
  init?(validUTF8 bytes: some Collection<UInt8>) {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      self.init(validating: bytes, as: UTF8.self)
    } else {
      self.init(decoding: bytes, as: UTF8.self)
      // Invalid bytes are replaced, so the text differs from the input.
      guard utf8.elementsEqual(bytes) else { return nil }
    }
  }
}
