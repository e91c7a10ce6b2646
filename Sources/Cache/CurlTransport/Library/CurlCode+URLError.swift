import Foundation

extension URLError.Code {
    /// The code that URLSession's users expect for a `CURLcode`.
    ///
    /// - Parameter certificateResult: from `CURLINFO_SSL_VERIFYRESULT`, numbered like OpenSSL's X509_V_ERR.
    init(curlCode: Int32, certificateResult: Int) {
        switch curlCode {
        // The scheme was checked before, so 1 means an HTTP version that libcurl does not know. 43 comes from a broken
        // field name.
        case 1, 8, 43: self = .badServerResponse
        case 3: self = .badURL
        case 5, 6: self = .cannotFindHost
        case 7, 97: self = .cannotConnectToHost
        case 16, 18, 52, 55, 56, 92: self = .networkConnectionLost
        case 28: self = .timedOut
        case 35, 53, 54, 59, 64, 66, 80: self = .secureConnectionFailed
        case 42: self = .cancelled
        case 58: self = .clientCertificateRejected
        case 60:
            switch certificateResult {
            case 9: self = .serverCertificateNotYetValid
            case 10: self = .serverCertificateHasBadDate
            case 2, 18, 19, 20, 21: self = .serverCertificateHasUnknownRoot
            default: self = .serverCertificateUntrusted
            }
        case 61: self = .cannotDecodeContentData
        case 63, 100: self = .dataLengthExceedsMaximum
        case 65: self = .requestBodyStreamExhausted
        // The file of authorities cannot be read.
        case 77: self = .serverCertificateHasUnknownRoot
        case 82, 83, 90, 91: self = .serverCertificateUntrusted
        default: self = .unknown
        }
    }
}

extension URLError {
    package init(_ code: Code, url: String, _ description: String, cause: (any Error)? = nil) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        userInfo[NSURLErrorFailingURLErrorKey] = URL(string: url)
        userInfo[NSUnderlyingErrorKey] = cause
        self.init(code, userInfo: userInfo)
    }
}
