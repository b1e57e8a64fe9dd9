// SPDX-License-Identifier: Apache-2.0

/// A ``TokenAuthority`` whose description may name the APIs that its access tokens are for.
///
/// The other authorities' tokens are for APIs that the app knows.
package protocol ResourceNaming: TokenAuthority {
    /// Returns the APIs that a description names; empty if it names none.
    ///
    /// A sign-in may have named others in its request.
    ///
    /// - Parameter record: The description. Untrusted, because it may be read from the store.
    /// - Returns: The APIs.
    ///
    /// Wire: `resource`. [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    func resources(of record: AuthorityRecord) -> [String]
}
