// SPDX-License-Identifier: Apache-2.0

package import AuthCore

/// A value that is written to the store, secrets included.
///
/// Its description and its dump show nothing.
package protocol StoredForm: Codable, Redacted {}

/// The common beginning of every stored form, in every version.
struct StoredHeader: Codable {
    let version: Int
}
