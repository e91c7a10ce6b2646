import Foundation

extension URLError {
    /// An error about a URL, with a text that names the reason.
    package init(_ code: Code, url: String, _ description: String, cause: (any Error)? = nil) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        userInfo[NSURLErrorFailingURLErrorKey] = URL(string: url)
        userInfo[NSUnderlyingErrorKey] = cause
        self.init(code, userInfo: userInfo)
    }
}
