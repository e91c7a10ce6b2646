import Foundation
import Testing

@testable import CurlTransport

@Suite struct CurlCodeTests {
    @Test(
        "a CURLcode becomes the error that URLSession has for it",
        arguments: [
            (.badServerResponse, [1, 8, 43]), (.badURL, [3]), (.cannotFindHost, [5, 6]),
            (.cannotConnectToHost, [7, 97]),
            (.networkConnectionLost, [16, 18, 52, 55, 56, 92]), (.timedOut, [28]),
            (.secureConnectionFailed, [35, 53, 54, 59, 64, 66, 80]), (.cancelled, [42]),
            (.clientCertificateRejected, [58]), (.serverCertificateHasUnknownRoot, [60, 77]),
            (.cannotDecodeContentData, [61]), (.dataLengthExceedsMaximum, [63, 100]),
            (.requestBodyStreamExhausted, [65]), (.serverCertificateUntrusted, [82, 83, 90, 91]),
        ] as [(URLError.Code, Set<Int32>)])
    func codes(expected: URLError.Code, codes: Set<Int32>) {
        let found = (0...110).filter { URLError.Code(curlCode: $0, certificateResult: 20) == expected }
        #expect(Set(found) == codes)
    }

    @Test("each other CURLcode is unknown") func unknown() {
        let others =
            [0, 2, 4] + (9...15) + [17] + (19...27) + (29...34) + (36...41) + (44...51) + [57, 62] + (67...76)
        let last = [78, 79, 81] + (84...89) + (93...96) + [98, 99] + (101...110)
        let found = (0...110 as ClosedRange<Int32>).filter {
            URLError.Code(curlCode: $0, certificateResult: 20) == .unknown
        }
        #expect(found.map { Int($0) } == others + last)
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
