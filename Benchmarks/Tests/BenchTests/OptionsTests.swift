// Room:   BenchTests. The command line.

import Testing

@testable import amber_bench

@Suite struct OptionsTests {
    @Test func optionsAreRead() throws {
        let options = try Options(arguments: ["--quick", "--workload", "log,list", "--coder=amber", "--runs", "3"])
        #expect(options.isQuick && options.runs == 3)
        #expect(options.workloads == ["list", "log"])
        #expect(options.wants(coder: "Amber") && !options.wants(coder: "JSONEncoder"))
    }

    @Test(arguments: [
        (["--fast"], "unknown option --fast"), (["--runs"], "--runs needs a value"),
        (["--runs", "0"], "--runs needs a number above zero, not 0"), (["--quick=1"], "--quick takes no value"),
        (["log"], "unknown option log"),
    ])
    func faultsAreNamed(arguments: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try Options(arguments: arguments) }
        #expect(error?.description == message)
    }
}
