// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Amber",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Amber", targets: ["Amber"]),
        .library(name: "AmberBytes", targets: ["AmberBytes"]),
        .library(name: "AmberModel", targets: ["AmberModel"]),
        .library(name: "AmberBinary", targets: ["AmberBinary"]),
        .library(name: "AmberKeyed", targets: ["AmberKeyed"]),
        .library(name: "AmberReadable", targets: ["AmberReadable"]),
    ],
    targets: [
        .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
        .target(name: "CSwiftRuntime"),
        .target(name: "AmberBytes"),
        .target(name: "AmberModel", dependencies: ["CSwiftRuntime"]),
        .target(name: "AmberBinary", dependencies: ["AmberModel", "AmberBytes", "CLZ4"]),
        .target(name: "AmberKeyed", dependencies: ["AmberModel", "AmberBytes"]),
        .target(name: "AmberReadable", dependencies: ["AmberModel", "AmberBytes"]),
        .target(name: "Amber", dependencies: ["AmberModel", "AmberBinary", "AmberKeyed", "AmberReadable"]),
        .target(name: "AmberTestSupport", dependencies: ["Amber"], path: "Tests/AmberTestSupport"),
        .testTarget(name: "AmberBytesTests", dependencies: ["AmberBytes", "AmberTestSupport"]),
        .testTarget(name: "AmberModelTests", dependencies: ["AmberModel", "AmberTestSupport"]),
        .testTarget(name: "HouseTests"),
        .testTarget(name: "AmberBinaryTests", dependencies: ["AmberBinary", "AmberTestSupport"]),
        .testTarget(
            name: "AmberKeyedTests",
            dependencies: ["AmberKeyed", "AmberBinary", "AmberReadable", "AmberModel", "AmberTestSupport"]),
        .testTarget(name: "CustomisingTests", dependencies: ["Amber", "AmberKeyed", "AmberTestSupport"]),
        .testTarget(
            name: "AmberReadableTests",
            dependencies: ["AmberReadable", "AmberBinary", "AmberModel", "AmberTestSupport"]),
        .testTarget(
            name: "FormatPageTests", dependencies: ["AmberBinary", "AmberTestSupport"], exclude: ["reader.py"]),
        .testTarget(name: "FixtureTests", dependencies: ["AmberBinary", "AmberTestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// One list of settings for every Swift target: what the house promises is checked by the compiler.
for target in package.targets where target.type != .system && target.name != "CSwiftRuntime" {
    target.swiftSettings = [
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
