import Foundation
import Freshet
import Testing

@testable import FreshetHTTP

@Suite
struct RedirectionsTests {
  func follow(_ status: Int, _ location: String?, from: String = "https://a.example/x") throws
    -> URL?
  {
    var way = Redirections(from: try #require(URL(string: from)))
    let headers: HTTPHeaders = location.map { ["Location": $0] } ?? [:]
    return try way.follow(HTTPResponse(status: status, headers: headers)) ? way.current : nil
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `five statuses lead elsewhere, to a URL without its fragment`(status: Int) throws {
    #expect(try follow(status, "y?z#part")?.absoluteString == "https://a.example/y?z")
    #expect(throws: HTTPError.self) { try follow(status, nil) }
    #expect(throws: HTTPError.self) { try follow(status, "") }
    #expect(throws: HTTPError.self) { try follow(status, "http://[::1") }
    #expect(throws: HTTPError.self) { try follow(status, String(repeating: "y", count: 20_000)) }
  }

  @Test(arguments: [200, 300, 304, 305, 306, 309, 404])
  func `other statuses lead nowhere`(status: Int) throws {
    #expect(try follow(status, "y") == nil)
  }

  @Test
  func `N1: a redirection from https down to http is refused, on the way too`() throws {
    let down = try #require(URL(string: "http://a.example/y"))
    #expect(throws: HTTPError.foreignLink(down)) { try follow(302, "http://a.example/y") }
    #expect(try follow(302, "https://a.example/y", from: "http://a.example/") != nil)
  }

  @Test
  func `circles and endless ways are errors that say so`() throws {
    #expect(throws: HTTPError.self) { try follow(302, "https://a.example/x#again") }
    var way = Redirections(from: try #require(URL(string: "https://a.example/0")))
    for number in 1...Redirections.limit {
      #expect(try way.follow(HTTPResponse(status: 302, headers: ["Location": "/\(number)"])))
    }
    let error = #expect(throws: HTTPError.self) {
      try way.follow(HTTPResponse(status: 302, headers: ["Location": "/more"]))
    }
    guard case .redirection? = error else {
      Issue.record("\(error as Any)")
      return
    }
  }
}
