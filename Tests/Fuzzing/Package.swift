// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Returns a program whose entry point libFuzzer supplies.
func fuzzer(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        swiftSettings: [.unsafeFlags(["-parse-as-library"])]
    )
}

let openID = Target.Dependency.product(name: "OpenIDConnect", package: "Sallyport")

let package = Package(
    name: "SallyportFuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The parsers need no trait, and a build without the network packages takes a fraction of the time.
        .package(name: "Sallyport", path: "../..", traits: []),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    ],
    targets: [
        fuzzer("FuzzJWT", .product(name: "AuthCore", package: "Sallyport")),
        fuzzer("FuzzCallback", openID),
        fuzzer("FuzzDiscovery", openID),
        fuzzer("FuzzKeySet", openID),
        fuzzer("FuzzTokenResponse", openID, .product(name: "HTTPTypes", package: "swift-http-types")),
    ]
)
