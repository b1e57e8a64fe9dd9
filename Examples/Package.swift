// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

// The tool starts a third faster with the Swift runtime in it, and needs none where it is installed. The libraries are
// those that the runtime's own static Foundation needs and that objects which were compiled for the dynamic one don't
// name.
let staticRuntime: [LinkerSetting] = [
    .unsafeFlags(["-static-stdlib", "-Xlinker", "--no-export-dynamic"], .when(platforms: [.linux])),
    .linkedLibrary("_FoundationCShims", .when(platforms: [.linux])),
    .linkedLibrary("_FoundationCollections", .when(platforms: [.linux])),
    .linkedLibrary("_FoundationICU", .when(platforms: [.linux])),
    .linkedLibrary("CoreFoundation", .when(platforms: [.linux])),
    .linkedLibrary("stdc++", .when(platforms: [.linux])),
]

// `--store file` needs one trait beside the defaults. With the variable, all of them are defaults; to name them here would
// compile the modules of the root package once more.
let sallyport: Package.Dependency =
    Context.environment["SALLYPORT_ALL_TRAITS"] == nil
    ? .package(name: "Sallyport", path: "..", traits: [.defaults, "EncryptedFile"])
    : .package(name: "Sallyport", path: "..")

let package = Package(
    name: "Examples",
    // The apps below Apps are built for these, too.
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        // Named apart from their targets: `umuve` and `sallyport` are also the names of modules, but for the letter's
        // case.
        .executable(name: "sallyport", targets: ["sallyport-tool"]),
        .executable(name: "umuve", targets: ["umuve-customer"]),
        .executable(name: "umuve-pro", targets: ["umuve-driver"]),
        .executable(name: "umuve-business", targets: ["umuve-business"]),
        // For the apps in Xcode.
        .library(name: "AppShell", targets: ["AppShell"]),
        .library(name: "UmuveBrands", targets: ["UmuveBrands"]),
    ],
    dependencies: [
        sallyport,
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-system.git", from: "1.8.1"),
        // Needs SQLite's headers: libsqlite3-dev on Debian.
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        // The verification of access tokens at an API, as a sample and for the reference backend.
        .target(
            name: "ResourceServer",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ResourceServerTests",
            dependencies: [
                "ResourceServer",
                "SharedTestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "ReferenceBackend",
            dependencies: [
                "ResourceServer",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "sallyport-backend",
            dependencies: [
                "ReferenceBackend",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "sallyport-tool",
            dependencies: [
                "SessionStores", "TerminalOutput",
                .target(name: "CGIO", condition: .when(platforms: [.linux])),
                .product(name: "Sallyport", package: "Sallyport"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/sallyport",
            swiftSettings: settings,
            linkerSettings: staticRuntime
        ),
        // The doctor's questions about a keyring.
        .systemLibrary(
            name: "CGIO",
            pkgConfig: "gio-2.0",
            providers: [.apt(["libglib2.0-dev"]), .yum(["glib2-devel"])]
        ),
        // The stores of the tool's and the apps' sessions, and the records of them.
        .target(
            name: "SessionStores",
            dependencies: [
                .product(name: "AuthCore", package: "Sallyport"),
                .product(name: "SecureStore", package: "Sallyport"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SessionStoresTests",
            dependencies: [
                "SessionStores",
                .product(name: "AuthCore", package: "Sallyport"),
                .product(name: "AuthTesting", package: "Sallyport"),
                .product(name: "SecureStore", package: "Sallyport"),
            ],
            swiftSettings: settings
        ),
        // What an app has around a session: the flow of its screens, an onboarding, settings, the registration of the
        // device for notifications, and their SwiftUI views.
        .target(
            name: "AppShell",
            dependencies: [
                .product(name: "AuthCore", package: "Sallyport"),
                .product(name: "AuthSession", package: "Sallyport"),
                // The SwiftUI views alone use it.
                .product(
                    name: "AuthUI",
                    package: "Sallyport",
                    condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])
                ),
                .product(name: "SecureStore", package: "Sallyport"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AppShellTests",
            dependencies: [
                "AppShell",
                "SharedTestSupport",
                .product(name: "APIClient", package: "Sallyport"),
                .product(name: "AppBackendSession", package: "Sallyport"),
                .product(name: "AuthCore", package: "Sallyport"),
                .product(name: "AuthSession", package: "Sallyport"),
                .product(name: "AuthTesting", package: "Sallyport"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SecureStore", package: "Sallyport"),
            ],
            swiftSettings: settings
        ),
        // The brands of the app family.
        .target(name: "UmuveBrands", dependencies: ["AppShell"], swiftSettings: settings),
        .systemLibrary(
            name: "CAdwaita",
            pkgConfig: "libadwaita-1",
            providers: [.apt(["libadwaita-1-dev"]), .yum(["libadwaita-devel"])]
        ),
        // An app on a Linux desktop; the executables below only say which. Everything in it belongs to the main thread,
        // as GTK does.
        .target(
            name: "DesktopShell",
            dependencies: [
                "AppShell",
                .target(name: "CAdwaita", condition: .when(platforms: [.linux])),
                "SessionStores",
                "UmuveBrands",
                .product(name: "Sallyport", package: "Sallyport"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]
        ),
        .executableTarget(
            name: "umuve-customer",
            dependencies: [
                "DesktopShell", "UmuveBrands", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "umuve-driver",
            dependencies: [
                "DesktopShell", "UmuveBrands", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "umuve-business",
            dependencies: [
                "DesktopShell", "UmuveBrands", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // On displays of their own; the programs of Tests/Support play the user.
        .testTarget(
            name: "DesktopShellTests",
            dependencies: [
                "AppShell",
                "BackendTestSupport",
                "DesktopShell",
                "ReferenceBackend",
                "SharedTestSupport",
                "UmuveBrands",
                "sallyport-backend",
                "umuve-business",
                "umuve-customer",
                "umuve-driver",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AuthTesting", package: "Sallyport"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Sallyport", package: "Sallyport"),
            ],
            swiftSettings: settings
        ),
        // A library of its own, so that its tests need not build the tool.
        .target(name: "TerminalOutput", swiftSettings: settings),
        .testTarget(
            name: "TerminalOutputTests",
            dependencies: ["TerminalOutput"],
            swiftSettings: settings
        ),
        // A link to the folder of the root package: a keyring for tests, and processes. Named apart from that package's
        // target, because both are built in one folder.
        .target(name: "SharedTestSupport", path: "Tests/SharedTestSupport", swiftSettings: settings),
        // The log of a backend that tests collect, and the lines that a worker writes.
        .target(
            name: "BackendTestSupport",
            dependencies: [.product(name: "Logging", package: "swift-log")],
            path: "Tests/BackendTestSupport",
            swiftSettings: settings
        ),
        // A process of an app, which the tests start by dozens and kill.
        .executableTarget(
            name: "RefreshWorker",
            dependencies: [
                "BackendTestSupport",
                "SharedTestSupport",
                .product(name: "Sallyport", package: "Sallyport"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/RefreshWorker",
            swiftSettings: settings
        ),
        // The samples of the providers' pages, which the tests run against the providers' stand-ins.
        .executableTarget(
            name: "ProviderSample",
            dependencies: [
                .product(name: "Sallyport", package: "Sallyport"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/ProviderSample",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ReliabilityTests",
            dependencies: [
                "BackendTestSupport",
                "RefreshWorker",
                "ReferenceBackend",
                "SharedTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // Runs the tool, and does not depend on it: a test target would be linked as the tool is.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "BackendTestSupport",
                "ProviderSample",
                "ReferenceBackend",
                "SharedTestSupport",
                .product(name: "AuthTesting", package: "Sallyport"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Sallyport", package: "Sallyport"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ReferenceBackendTests",
            dependencies: [
                "BackendTestSupport",
                "ReferenceBackend",
                "ResourceServer",
                "SharedTestSupport",
                "sallyport-backend",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ]
)
