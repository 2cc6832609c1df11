// swift-tools-version: 6.2
import PackageDescription

// How a package uses Amber. The settings are the strictest a user may have: it builds under them, or we are at fault.
let package = Package(
    name: "Example",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Amber", path: "..")
    ],
    targets: [
        .executableTarget(
            name: "Example",
            dependencies: [.product(name: "Amber", package: "Amber")],
            swiftSettings: [
                .strictMemorySafety(),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
