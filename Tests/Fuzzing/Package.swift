// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "SallyportFuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Sallyport", path: "../..")],
    targets: [
        .executableTarget(
            name: "FuzzJWT",
            dependencies: [.product(name: "AuthCore", package: "Sallyport")],
            // libFuzzer brings the entry point.
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        )
    ]
)
