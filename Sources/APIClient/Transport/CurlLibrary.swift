// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import CCurl

/// The functions of libcurl, which is loaded when the first of them is needed.
///
/// Linked, it would cost each start of a program 4 ms and 7 MB, and a command that prints a stored token sends nothing.
///
/// `Sendable` because the functions stay where they are in memory that is never freed.
@safe struct CurlLibrary: @unchecked Sendable {
    let functions: UnsafePointer<sallyport_curl>

    /// The library; nil if there is none, or one that can't do what a transfer relies on.
    static let shared: CurlLibrary? = {
        let functions = UnsafeMutablePointer<sallyport_curl>.allocate(capacity: 1)
        unsafe functions.initialize(to: sallyport_curl())
        guard unsafe sallyport_curl_load(functions) else { return nil }
        return unsafe CurlLibrary(functions: functions)
    }()
}
#endif
