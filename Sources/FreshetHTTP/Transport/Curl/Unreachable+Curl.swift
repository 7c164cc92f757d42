#if os(Linux)
  internal import CLibCurl
  internal import Foundation

  extension Unreachable {
    /// Creates the error for a libcurl code.
    ///
    /// - Parameters:
    ///   - verified: OpenSSL's result for the certificate (`X509_V_ERR_…`); 0 if it is valid.
    ///   - hasHead: whether the head of a response was received.
    init(_ code: CURLcode, verified: Int, hasHead: Bool) {
      switch code {
      case CURLE_URL_MALFORMAT:
        self.init(.badURL)
      case CURLE_COULDNT_RESOLVE_HOST:
        self.init(.cannotFindHost)
      case CURLE_COULDNT_RESOLVE_PROXY:
        self.init(.cannotFindHost, "no host has the name of the proxy")
      case CURLE_COULDNT_CONNECT:
        self.init(.cannotConnectToHost)
      case CURLE_OPERATION_TIMEDOUT:
        self.init(.timedOut)
      case CURLE_PEER_FAILED_VERIFICATION:
        self.init(Self.certificate(verified))
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
        CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
        self.init(.secureConnectionFailed)
      case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE:
        self.init(
          .secureConnectionFailed, "the file of the authorities to trust cannot be read")
      case CURLE_SSL_CLIENTCERT, CURLE_SSL_CERTPROBLEM:
        self.init(.clientCertificateRequired)
      case CURLE_BAD_CONTENT_ENCODING:
        self.init(.cannotDecodeContentData)
      case CURLE_GOT_NOTHING:
        self.init(.networkConnectionLost, "the server closed the connection without an answer")
      case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
        CURLE_HTTP2_STREAM:
        self.init(.networkConnectionLost)
      case CURLE_OUT_OF_MEMORY where !hasHead:
        // libcurl reports a line that is too long for it in this way.
        self.init(ResponseHead.Problem.tooLong)
      case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_WRITE_ERROR:
        self.init(.badServerResponse)
      default:
        self.init(.unknown, unsafe String(cString: curl_easy_strerror(code)).lowercased())
      }
    }

    /// Returns the code for a certificate error.
    ///
    /// The numbers are those of `X509_verify_cert_error_string`, which are part of OpenSSL's
    /// interface.
    private static func certificate(_ verified: Int) -> URLError.Code {
      switch verified {
      case 9: .serverCertificateNotYetValid
      case 10: .serverCertificateHasBadDate
      case 2, 18, 19, 20, 21: .serverCertificateHasUnknownRoot
      default: .serverCertificateUntrusted
      }
    }
  }
#endif
