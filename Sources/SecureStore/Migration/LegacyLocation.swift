// SPDX-License-Identifier: Apache-2.0

/// A location in which an older version of an app, or another program, kept several items, each under an account.
///
/// ``system(services:deadline:)`` lists those of the platform's keyring or keychain.
public struct LegacyLocation: Sendable {
    /// The name of the location.
    ///
    /// It is persisted beside the migrated item, so it must not change while the location is still read.
    public let name: StoreLocationName
    private let makeItem: @Sendable (StoreLocationName, String) throws -> any LegacyItemSource

    /// Creates a location.
    ///
    /// - Parameters:
    ///   - name: The name of the location.
    ///   - item: Returns the item of an account, with the given name of a location.
    public init(
        _ name: StoreLocationName,
        item: @escaping @Sendable (_ name: StoreLocationName, _ account: String) throws -> any LegacyItemSource
    ) {
        (self.name, makeItem) = (name, item)
    }

    /// Returns an item of the location, which may be missing.
    ///
    /// - Parameter account: The item's account, for example `authToken`.
    /// - Returns: The item.
    /// - Throws: ``SecureStoreError`` (`invalidName`), or the error of the function that was given.
    public func item(_ account: String) throws -> any LegacyItemSource {
        try makeItem(name, account)
    }

    /// Returns the locations of the platform in which older versions of an app may have kept items.
    ///
    /// On Apple platforms, these are the generic passwords of a service in the data protection keychain. On Linux, they
    /// are items of the keyring with the attributes of ``KeyringStore``, of libsecret (`service`, `account`), of
    /// `go-keyring` (`service`, `username`) or of Python's `keyring`. Empty in a build without the trait `Keyring`.
    ///
    /// - Parameters:
    ///   - services: The services' names, in the order of precedence.
    ///   - deadline: The time limit of a call, from a millisecond to a day.
    /// - Returns: The locations, in the order of the search.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public static func system(services: [String], deadline: Duration = .seconds(5)) throws -> [LegacyLocation] {
        try platform(services, deadline)
    }

    /// Returns a settings file as a location, with its string and number members as items.
    ///
    /// - Parameters:
    ///   - name: The name of the location.
    ///   - path: The path of the file, as for ``LegacySettingsValue``.
    /// - Returns: The location.
    public static func settings(_ name: StoreLocationName, path: String) -> LegacyLocation {
        LegacyLocation(name) { LegacySettingsValue($0, path: path, member: $1, acceptsNumbers: true) }
    }
}
