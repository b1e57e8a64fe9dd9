// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

/// An app's own backend, with either contract.
protocol FirstPartyAuthority: TokenAuthority {
    var contract: SessionBackend.Contract { get }
    var client: FirstPartyClient { get }

    init(_ client: FirstPartyClient)
}

extension FirstPartyAuthority {
    /// The backend's address.
    public var baseURL: BaseURL { client.baseURL }

    /// The address, the contract and the API key.
    ///
    /// Secret if the app has an API key.
    public var record: AuthorityRecord { FirstPartyFormat(self).record }

    /// Checks that the description has this address and contract.
    ///
    /// The API key may differ.
    public func check(_ record: AuthorityRecord) throws(SessionRecordError) {
        let known = try FirstPartyFormat(record)
        guard known.baseURL == baseURL, known.contract == contract else { throw SessionRecordError(.otherBackend) }
    }

    /// Returns the same backend with a session's transport and clocks.
    public func connected(over connection: AuthorityConnection) -> Self {
        Self(FirstPartyClient(baseURL: client.baseURL, apiKey: client.apiKey, over: connection))
    }

    /// The policy to end a session with one call, if the contract has one.
    public var signOutPolicy: SignOutPolicy { .endsSession }

    /// Returns true, because both contracts can refresh.
    public func canRefresh(_ tokens: TokenSet) -> Bool { true }
}

/// The stored description of an app's own backend.
struct FirstPartyFormat {
    let baseURL: BaseURL
    let contract: SessionBackend.Contract
    let apiKey: APIKey?

    init(_ authority: some FirstPartyAuthority) {
        (baseURL, contract, apiKey) = (authority.baseURL, authority.contract, authority.client.apiKey)
    }

    /// Reads a description.
    ///
    /// - Throws: ``SessionRecordError`` (`otherBackend` if it describes another kind of authority, `damaged`).
    init(_ record: AuthorityRecord) throws(SessionRecordError) {
        let members = record.members
        guard let name = members["contract"] else {
            throw SessionRecordError(record.isUnidentified ? .damaged : .otherBackend)
        }
        guard let contract = name.string.flatMap(SessionBackend.Contract.init),
            let address = members["baseURL"]?.string,
            Self.isAbsent(members["insecureHTTP"]) || members["insecureHTTP"]?.boolean != nil,
            Self.isAbsent(members["apiKey"]) || members["apiKey"]?.string != nil
        else { throw SessionRecordError(.damaged) }
        let isPlain = members["insecureHTTP"]?.boolean == true
        do {
            baseURL = try BaseURL(address, insecureHTTP: isPlain ? .insecurelyAllowHTTP : .refuse)
            apiKey = try members["apiKey"]?.string.map { try APIKey($0) }
        } catch {
            throw SessionRecordError(.damaged)
        }
        self.contract = contract
    }

    private static func isAbsent(_ value: JSONValue?) -> Bool { value == nil || value == .null }

    var record: AuthorityRecord {
        var members: [String: JSONValue] = [
            "baseURL": .string(baseURL.description), "contract": .string(contract.rawValue),
        ]
        if let apiKey { members["apiKey"] = .string(apiKey.unredacted) }
        if baseURL.scheme == "http" { members["insecureHTTP"] = .boolean(true) }
        return AuthorityRecord(members)
    }
}
