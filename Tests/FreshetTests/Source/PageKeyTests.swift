import Testing

@testable import Freshet

@Suite
struct PageKeyTests {
  @Test(arguments: [
    ("3", "3"), (#""t1""#, "t1"), (#"{"cursor":{"_0":"t1"}}"#, "t1"),
    (#"{"url":{"_0":"https://a.example/?page=2"}}"#, "https://a.example/?page=2"),
    (#"{"page":{"_0":{"number":3,"above":7}}}"#, "page 3"),
    (#"{"offset":{"_0":{"offset":99,"pageSize":50,"row":1}}}"#, "offset 99"),
    (#"{"counted":{"_0":{"above":"2","page":"3","seam":{"rows":1}}}}"#, "page 3"),
    (
      #"{"counted":{"_0":{"above":"https://a.example/","page":"https://a.example/?page=2","seam":{}}}}"#,
      "https://a.example/?page=2"
    ),
    (#"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#), ("[1]", "[1]"), ("nothing", "nothing"), ("", ""),
  ])
  func `a key is shown by what names the page`(json: String, text: String) {
    #expect(PageKey(json: json).shown == text)
  }
}
