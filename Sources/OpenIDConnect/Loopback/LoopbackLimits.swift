#if LoopbackRedirect
/// What one connection, and all of them, may take of the listener.
///
/// Every process of this machine can connect: none may keep the browser out.
package struct LoopbackLimits: Sendable {
    /// How many connections there are at once; the oldest that has asked nothing makes room for a new one.
    package var connections = 32
    /// How long a connection may take until its request's head is whole, however lively it is.
    package var head: Duration = .seconds(10)
    /// How long the other side may take to read its answer and to hang up.
    ///
    /// Also the longest that who waits is told later than the browser.
    package var answer: Duration = .seconds(1)
    /// How long a request's head may be, in bytes.
    package var headSize = 16 * 1_024
    /// How many further bytes are read and thrown away before the connection is closed.
    ///
    /// A client that is only a little too long-winded still reads its response: a connection that is closed with bytes
    /// unread is reset, and the response may get lost.
    package var excess = 64 * 1_024
    /// How many fields the head may have.
    package var fieldCount = 100

    /// The limits that apps get.
    package init() {}
}
#endif
