#if os(Linux)
  internal import CLibCurl
  internal import Foundation
  internal import Freshet

  /// A running request: a libcurl handle, and the part of the response received so far.
  ///
  /// Only the loop's thread uses it.
  @safe final class CurlExchange {
    let transfer: CurlTransfer
    let handle: UnsafeMutableRawPointer
    /// The time of the last received bytes, or else of sending the request or of the start.
    private(set) var heardAt = ContinuousClock.now
    private var isSent = false
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var head = ResponseHead()
    private var body: BodyBuffer
    private var received: Int64 = 0
    /// The error for which this side stopped the transfer.
    private var failure: HTTPError?

    init?(_ transfer: CurlTransfer) {
      guard let handle = unsafe curl_easy_init() else { return nil }
      unsafe self.handle = handle
      self.transfer = transfer
      body = BodyBuffer(limit: transfer.bodyLimit)
      guard setRequest(), setMethod(), setBounds(), setCallbacks() else { return nil }
    }

    deinit {
      unsafe curl_easy_cleanup(handle)
      unsafe curl_slist_free_all(fields)
    }

    /// The longest allowed time without received bytes.
    ///
    /// Until the request is sent, it is the time-out to connect.
    var patience: Duration { isSent ? transfer.timeouts.idle : transfer.timeouts.connect }

    /// Starts the idle time-out if the request has been sent.
    func noteSent() {
      guard !isSent else { return }
      var size = 0
      _ = unsafe freshet_curl_get_long(handle, CURLINFO_REQUEST_SIZE, &size)
      if size > 0 { (heardAt, isSent) = (.now, true) }
    }

    /// Returns the result after libcurl has finished the transfer.
    func result(_ code: CURLcode) -> Result<HTTPResponse, any Error> {
      if let failure { return .failure(failure) }
      guard code == CURLE_OK else {
        var verified = 0
        _ = unsafe freshet_curl_get_long(handle, CURLINFO_SSL_VERIFYRESULT, &verified)
        return .failure(
          Unreachable(code, verified: verified, hasHead: head.isComplete).error(
            transfer.request.url))
      }
      guard head.isComplete else {
        return .failure(
          Unreachable(.networkConnectionLost, "the answer was cut inside its header")
            .error(transfer.request.url))
      }
      return .success(
        HTTPResponse(status: head.status, headers: head.headers, body: body.bytes))
    }

    private func setRequest() -> Bool {
      for field in transfer.request.headers.fields {
        // A semicolon makes libcurl send the name of a field without a value.
        let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        guard let longer = unsafe curl_slist_append(fields, line) else { return false }
        unsafe fields = longer
      }
      // Without these, libcurl waits for a server to ask for the body, and calls it a form.
      for line in transfer.request.body == nil ? [] : ["Expect:", "Content-Type:"] {
        let name = line.dropLast().lowercased()
        let isSet = transfer.request.headers.fields.contains { $0.name.lowercased() == name }
        guard !isSet else { continue }
        guard let longer = unsafe curl_slist_append(fields, line) else { return false }
        unsafe fields = longer
      }
      let hasName = transfer.request.headers.fields.contains {
        $0.name.lowercased() == "user-agent"
      }
      return unsafe [
        freshet_curl_set_text(handle, CURLOPT_URL, transfer.address),
        freshet_curl_set_list(handle, fields),
        // Some services reject requests without a user agent.
        hasName ? CURLE_OK : freshet_curl_set_text(handle, CURLOPT_USERAGENT, "Freshet"),
        freshet_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, ""),
        transfer.authorities.map { unsafe freshet_curl_set_text(handle, CURLOPT_CAINFO, $0) }
          ?? CURLE_OK,
      ].allSatisfy { $0 == CURLE_OK }
    }

    /// Sets the method and the body of a request that changes something.
    private func setMethod() -> Bool {
      let (method, body) = (transfer.request.method, transfer.request.body)
      if method == .get, body == nil { return true }
      // `bytes` lives for the whole closure, in which libcurl copies it.
      let isSet = unsafe (body ?? Data()).withUnsafeBytes { bytes in
        unsafe freshet_curl_set_long(handle, CURLOPT_POSTFIELDSIZE, bytes.count) == CURLE_OK
          && freshet_curl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress) == CURLE_OK
      }
      return unsafe isSet
        && freshet_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, method.rawValue) == CURLE_OK
    }

    /// Sets the limits for a server.
    ///
    /// Redirections, cookies and credentials of libcurl's own are off by default and stay off.
    private func setBounds() -> Bool {
      let timeouts = transfer.timeouts
      _ = unsafe freshet_curl_set_leaves_quickly(handle)
      let numbers: [(CURLoption, Int)] = [
        (CURLOPT_NOSIGNAL, 1),
        (CURLOPT_FOLLOWLOCATION, 0),
        (CURLOPT_HTTP09_ALLOWED, 0),
        (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
        (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
        (CURLOPT_NOPROGRESS, 0),
        (CURLOPT_CONNECTTIMEOUT_MS, timeouts.connect.milliseconds),
        (CURLOPT_TIMEOUT_MS, timeouts.total.milliseconds),
      ]
      return unsafe freshet_curl_set_protocols(handle) == CURLE_OK
        && numbers.allSatisfy { unsafe freshet_curl_set_long(handle, $0.0, $0.1) == CURLE_OK }
    }

    private func setCallbacks() -> Bool {
      // libcurl passes this pointer back only while the loop holds the exchange.
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      return unsafe [
        freshet_curl_set_pointer(handle, CURLOPT_HEADERDATA, context),
        freshet_curl_set_pointer(handle, CURLOPT_WRITEDATA, context),
        freshet_curl_set_pointer(handle, CURLOPT_XFERINFODATA, context),
        freshet_curl_set_sink(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
          unsafe CurlExchange.at(context).takeLine(
            UnsafeRawBufferPointer(start: bytes, count: size * count))
        },
        freshet_curl_set_sink(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
          unsafe CurlExchange.at(context).takeBody(
            UnsafeRawBufferPointer(start: bytes, count: size * count))
        },
        freshet_curl_set_progress(handle) { context, _, received, _, _ in
          unsafe CurlExchange.at(context).takeProgress(Int64(received)) ? 0 : 1
        },
      ].allSatisfy { $0 == CURLE_OK }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
      // This is the pointer that was set with the callback, which is never null.
      unsafe Unmanaged<CurlExchange>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    /// Parses a line of the head; returning fewer bytes than received ends the transfer.
    private func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
      (heardAt, isSent) = (.now, true)
      do throws(HTTPError) {
        let wasComplete = head.isComplete
        do {
          unsafe try head.add(line)
        } catch {
          throw Unreachable(error).error(transfer.request.url)
        }
        if head.isComplete, !wasComplete, let length = head.announcedLength {
          try body.check(announced: length, status: head.status)
        }
        return line.count
      } catch {
        failure = error
        return 0
      }
    }

    /// Appends a part of the decompressed body.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
      (heardAt, isSent) = (.now, true)
      do throws(HTTPError) {
        unsafe try body.append(bytes)
        return bytes.count
      } catch {
        failure = error
        return 0
      }
    }

    /// Records the number of compressed bytes, and returns whether the transfer may continue.
    ///
    /// A large body that decompresses to nothing is bounded too.
    private func takeProgress(_ count: Int64) -> Bool {
      if count != received { (received, heardAt, isSent) = (count, .now, true) }
      guard count > Int64(clamping: body.limit), count - Int64(body.limit) > 1 << 20 else {
        return true
      }
      failure = failure ?? .tooLarge(limit: body.limit)
      return false
    }
  }
#endif
