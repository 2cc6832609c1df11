// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "AmberBenchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "amber-bench", targets: ["amber-bench"])
    ],
    dependencies: [
        .package(name: "Amber", path: "..")
    ],
    targets: [
        .target(name: "CBenchSupport"),
        .executableTarget(
            name: "amber-bench",
            dependencies: ["CBenchSupport", .product(name: "Amber", package: "Amber")]
        ),
        .testTarget(name: "BenchTests", dependencies: ["amber-bench"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CBenchSupport" {
    target.swiftSettings = [
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
