internal import Foundation
internal import Freshet

extension HTTPHeaders {
  /// Returns the fields, with those of `others` replacing fields of the same names.
  func replacing(with others: HTTPHeaders) -> HTTPHeaders {
    var result = self
    for name in Set(others.fields.map { $0.name.lowercased() }) { result[name] = nil }
    for field in others.fields { result.append(field.name, field.value) }
    return result
  }

  /// Throws if a field cannot be sent unchanged, or would add other fields.
  ///
  /// See RFC 9110, sections 5.1 and 5.5.
  func check() throws(HTTPError) {
    for field in fields {
      let isToken = field.name.utf8.allSatisfy {
        0x61...0x7A ~= $0 || 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0
          || "!#$%&'*+-.^_`|~".utf8.contains($0)
      }
      guard isToken, !field.name.isEmpty else {
        throw .invalidHeader(
          name: LogText(field.name, limit: 80).description,
          reason: "a name consists of letters, digits and dashes")
      }
      let isText = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
      guard isText else {
        throw .invalidHeader(
          name: field.name, reason: "its value holds a line break or another control character")
      }
    }
  }
}
