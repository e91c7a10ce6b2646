import Foundation
import Testing

@testable import CurlTransport

@Suite struct CurlCodeTests {
    @Test(
        "a CURLcode becomes the error that URLSession has for it",
        arguments: [
            (1, .badServerResponse), (8, .badServerResponse), (3, .badURL), (5, .cannotFindHost), (6, .cannotFindHost),
            (7, .cannotConnectToHost), (16, .networkConnectionLost), (18, .networkConnectionLost),
            (52, .networkConnectionLost), (55, .networkConnectionLost), (56, .networkConnectionLost),
            (92, .networkConnectionLost), (28, .timedOut), (35, .secureConnectionFailed), (42, .cancelled),
            (58, .clientCertificateRejected), (61, .cannotDecodeContentData), (63, .dataLengthExceedsMaximum),
            (65, .requestBodyStreamExhausted), (77, .serverCertificateUntrusted), (2, .unknown), (99, .unknown),
        ] as [(Int32, URLError.Code)])
    func codes(code: Int32, expected: URLError.Code) {
        #expect(URLError.Code(curlCode: code, certificateResult: 20) == expected)
    }

    @Test(
        "a refused certificate is told by OpenSSL's X509_V_ERR",
        arguments: [
            (9, .serverCertificateNotYetValid), (10, .serverCertificateHasBadDate),
            (2, .serverCertificateHasUnknownRoot), (18, .serverCertificateHasUnknownRoot),
            (19, .serverCertificateHasUnknownRoot), (20, .serverCertificateHasUnknownRoot),
            (21, .serverCertificateHasUnknownRoot), (0, .serverCertificateUntrusted), (62, .serverCertificateUntrusted),
        ] as [(Int, URLError.Code)])
    func certificates(result: Int, expected: URLError.Code) {
        #expect(URLError.Code(curlCode: 60, certificateResult: result) == expected)
    }
}
