// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The tests of this package and of Examples turn every trait on, as a default: then both have the same modules, and these
// are compiled once. (`--enable-all-traits` can't be passed on to a dependency.)
var defaultTraits: Set<String> = ["Curl", "Keyring"]
if Context.environment["SALLYPORT_ALL_TRAITS"] != nil {
    defaultTraits.formUnion(["AsyncHTTPClient", "EncryptedFile", "Metrics", "Tracing"])
}

let package = Package(
    name: "Sallyport",
    platforms: [
        .macOS(.v15),
        .iOS(.v18),
        .tvOS(.v18),
        .watchOS(.v11),
        .visionOS(.v2),
    ],
    products: [
        .library(name: "AuthCore", targets: ["AuthCore"]),
        .library(name: "SecureStore", targets: ["SecureStore"]),
        .library(name: "APIClient", targets: ["APIClient"]),
        .library(name: "OpenIDConnect", targets: ["OpenIDConnect"]),
        .library(name: "AuthSession", targets: ["AuthSession"]),
        .library(name: "AppBackendSession", targets: ["AppBackendSession"]),
        .library(name: "OpenIDSession", targets: ["OpenIDSession"]),
        .library(name: "AuthUI", targets: ["AuthUI"]),
        // A session's tokens for another HTTP client.
        .library(name: "AsyncHTTPClientAuthorization", targets: ["AsyncHTTPClientAuthorization"]),
        .library(name: "AuthTesting", targets: ["AuthTesting"]),
        // Everything an app ships; the test doubles are asked for by name.
        .library(name: "Sallyport", targets: ["Sallyport"]),
    ],
    traits: [
        .default(enabledTraits: defaultTraits),
        .trait(
            name: "AsyncHTTPClient",
            description: "The product AsyncHTTPClientAuthorization, with the package that it is for."
        ),
        .trait(
            name: "Curl",
            description: "The transport on Linux. Needs the system package libcurl4-openssl-dev."
        ),
        .trait(
            name: "EncryptedFile",
            description: "A store for machines without a keyring: a file under a key or a passphrase."
        ),
        .trait(
            name: "Keyring",
            description: "The system keyring on Linux (Secret Service). Needs the system package libsecret-1-dev."
        ),
        .trait(name: "Metrics", description: "Records sign-ins, refreshes and their failures, with swift-metrics."),
        .trait(
            name: "Tracing",
            description: "Makes a span of each sign-in, refresh and sign-out, with swift-distributed-tracing."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
    ],
    targets: [
        .target(
            name: "AuthCore",
            dependencies: [.product(name: "Crypto", package: "swift-crypto")]
        ),
        .systemLibrary(
            name: "CSecretService",
            pkgConfig: "libsecret-1",
            providers: [.apt(["libsecret-1-dev"]), .yum(["libsecret-devel"])]
        ),
        .systemLibrary(name: "CLinuxKeyring"),
        .target(
            name: "SecureStore",
            dependencies: [
                "AuthCore",
                .target(name: "CLinuxKeyring", condition: .when(platforms: [.linux], traits: ["EncryptedFile"])),
                .target(name: "CSecretService", condition: .when(platforms: [.linux], traits: ["Keyring"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["EncryptedFile"])),
            ]
        ),
        // Without pkg-config's flags: libcurl is not linked but loaded, when a request needs it.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .yum(["libcurl-devel"])]),
        .target(
            name: "APIClient",
            dependencies: [
                "AuthCore",
                .target(name: "CCurl", condition: .when(platforms: [.linux], traits: ["Curl"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "AsyncHTTPClientAuthorization",
            dependencies: [
                "APIClient",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "AsyncHTTPClient",
                    package: "async-http-client",
                    condition: .when(traits: ["AsyncHTTPClient"])
                ),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
            ]
        ),
        .target(
            name: "OpenIDConnect",
            dependencies: [
                "AuthCore",
                "APIClient",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "AuthSession",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ]
        ),
        .target(
            name: "AppBackendSession",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                "AuthSession",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "OpenIDSession",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                "OpenIDConnect",
                "AuthSession",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "AuthUI",
            dependencies: ["AuthCore", "SecureStore", "APIClient", "AuthSession", "AppBackendSession"]
        ),
        .target(
            name: "AuthTesting",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // Re-exports what an app needs.
        .target(
            name: "Sallyport",
            dependencies: [
                "AuthCore", "SecureStore", "APIClient", "OpenIDConnect", "AuthSession", "AppBackendSession",
                "OpenIDSession", "AuthUI",
            ]
        ),
        .testTarget(name: "AuthCoreTests", dependencies: ["AuthCore"], resources: [.copy("Vectors")]),
        // What tests share: a keyring of their own, processes, a server. No product.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        // A process of its own for tests of what several processes do at once, and what a killed one leaves. No
        // product.
        .executableTarget(
            name: "StoreWorker",
            dependencies: ["AuthCore", "SecureStore", "TestSupport"],
            path: "Tests/StoreWorker"
        ),
        // A module's tests are in two targets. Those of `…Tests` need neither a socket, nor a daemon, nor another
        // process, nor scrypt; those of `…SystemTests` do, and use the doubles of the others.
        .testTarget(
            name: "SecureStoreTests",
            dependencies: ["AuthCore", "SecureStore", "AuthTesting", "TestSupport"],
            resources: [.copy("Vectors")]
        ),
        .testTarget(
            name: "SecureStoreSystemTests",
            dependencies: [
                "AuthCore", "SecureStore", "AuthTesting", "TestSupport", "StoreWorker", "SecureStoreTests",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "APIClientTests",
            dependencies: [
                "AuthCore",
                "APIClient",
                "AuthTesting",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "APIClientSystemTests",
            dependencies: [
                "AuthCore",
                "APIClient",
                "AuthTesting",
                "TestSupport",
                "APIClientTests",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        // The bridges to other clients, against one suite and servers of their protocols.
        .testTarget(
            name: "AuthorizedClientSystemTests",
            dependencies: [
                "AuthCore",
                "APIClient",
                "AsyncHTTPClientAuthorization",
                "AuthSession",
                "AuthSessionTests",
                "AuthTesting",
                "OpenIDConnect",
                "OpenIDSessionTests",
                "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "OpenIDConnectTests",
            dependencies: [
                "AuthCore",
                "APIClient",
                "OpenIDConnect",
                "AuthTesting",
                "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            resources: [.copy("Vectors")]
        ),
        .testTarget(
            name: "OpenIDConnectSystemTests",
            dependencies: [
                "AuthCore",
                "OpenIDConnect",
                "TestSupport",
                "OpenIDConnectTests",
            ]
        ),
        // Many processes in one, on one thread, in an order that a seed decides. No product.
        .executableTarget(
            name: "RefreshSimulation",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                "AuthSession",
                "AppBackendSession",
                "AuthTesting",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/RefreshSimulation"
        ),
        .testTarget(
            name: "AuthSessionTests",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                "AuthSession",
                "AppBackendSession",
                "AuthTesting",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
                .product(
                    name: "InMemoryTracing",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Tracing"])
                ),
            ]
        ),
        .testTarget(
            name: "AuthSessionSystemTests",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                "AuthSession",
                "AuthTesting",
                "TestSupport",
                "RefreshSimulation",
                "AuthSessionTests",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "AppBackendSessionTests",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                "AuthSession",
                "AppBackendSession",
                "AuthTesting",
                "AuthSessionTests",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "AppBackendSessionSystemTests",
            dependencies: ["AppBackendSession", "TestSupport"]
        ),
        .testTarget(
            name: "AuthUITests",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                "OpenIDConnect",
                "AuthSession",
                "AppBackendSession",
                "AuthUI",
                "AuthTesting",
                "AuthSessionTests",
                "OpenIDSession",
                "OpenIDSessionTests",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "OpenIDSessionTests",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                "OpenIDConnect",
                "AuthSession",
                "AppBackendSession",
                "OpenIDSession",
                "AuthTesting",
                "AuthSessionTests",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ],
            resources: [.copy("Vectors")]
        ),
        .testTarget(
            name: "OpenIDSessionSystemTests",
            dependencies: [
                "SecureStore",
                "APIClient",
                "OpenIDConnect",
                "AuthSession",
                "OpenIDSession",
                "AuthTesting",
                "AuthSessionTests",
                "OpenIDSessionTests",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "AuthTestingTests",
            dependencies: [
                "AuthCore",
                "SecureStore",
                "APIClient",
                "AuthTesting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
    ]
)

// What App Store Connect asks about the system's functions that are used. A resource makes SwiftPM generate code that
// imports Foundation, which the modules do without on Linux. A Mac that builds for Linux gets the resource too.
for target in package.targets where ["SecureStore", "OpenIDConnect"].contains(target.name) {
    #if canImport(Darwin)
    target.resources = [.copy("PrivacyInfo.xcprivacy")]
    #else
    target.exclude.append("PrivacyInfo.xcprivacy")
    #endif
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
}
