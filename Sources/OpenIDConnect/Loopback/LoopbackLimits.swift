// SPDX-License-Identifier: Apache-2.0

#if LoopbackRedirect && (os(Linux) || os(macOS))
/// The limits of the listener's connections.
///
/// Every process of this machine can connect; none of them may keep the browser out.
package struct LoopbackLimits: Sendable {
    /// The number of simultaneous connections; a new one replaces the oldest that has sent no request.
    package var connections = 32
    /// The time until a request's head must be complete, however active the connection is.
    package var head: Duration = .seconds(10)
    /// The time that the client has to read the response and to close the connection.
    ///
    /// Also the longest delay between the response to the browser and the notification of the caller.
    package var response: Duration = .seconds(1)
    /// The maximum size of a request's head in bytes.
    package var headSize = 16 * 1_024
    /// The number of further bytes that are read and discarded before the connection is closed.
    ///
    /// A client that exceeds the limit only a little can still read its response: closing a connection with unread
    /// bytes resets it, and the response may be lost.
    package var excess = 64 * 1_024
    /// The maximum number of header fields.
    package var fieldCount = 100

    /// Creates the default limits.
    package init() {}
}
#endif
