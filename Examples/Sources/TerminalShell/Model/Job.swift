// SPDX-License-Identifier: Apache-2.0

/// A job in the form of the backend's API.
struct Job: Sendable, Hashable, Decodable {
    let id: String
    let title: String
    let address: String
    let status: String
}
