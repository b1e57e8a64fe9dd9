// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// A window.
@MainActor public final class ASPresentationAnchor: Sendable {
    public init() {}
}

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable {
        case canceledLogin = 1
        case presentationContextNotProvided = 2
        case presentationContextInvalid = 3
    }

    public let code: Code

    public init(_ code: Code) {
        self.code = code
    }
}

/// A browser sheet; shown on the main thread, as all windows are.
public final class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    /// The callback that ends the session.
    public final class Callback: NSObject, Sendable {
        public let standInText: String

        private init(_ text: String) {
            standInText = text
        }

        public static func customScheme(_ scheme: String) -> Callback { Callback("\(scheme):") }
        public static func https(host: String, path: String) -> Callback { Callback("https://\(host)\(path)") }
    }

    public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    public var prefersEphemeralWebBrowserSession = false

    private let url: URL
    private let callback: Callback
    private let completionHandler: CompletionHandler

    public init(url: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {
        self.url = url
        self.callback = callback
        self.completionHandler = completionHandler
    }

    /// Shows the sheet; false if there is no window to show it in.
    @MainActor public func start() -> Bool {
        guard let presentationContextProvider else { return false }
        _ = presentationContextProvider.presentationAnchor(for: self)
        let sheet = StandInSheet(
            url: url.absoluteString,
            callback: callback.standInText,
            isEphemeral: prefersEphemeralWebBrowserSession
        )
        let handler = UncheckedHandler(call: completionHandler)
        return StandInBrowser.show(sheet) { url, error in handler.call(url, error) }
    }

    /// Closes the sheet; the handler is not called.
    public func cancel() {
        StandInBrowser.close()
    }
}

/// The completion handler; unchecked, since the session only passes it on, and the browser calls it once, on its queue.
private struct UncheckedHandler: @unchecked Sendable {
    let call: ASWebAuthenticationSession.CompletionHandler
}
