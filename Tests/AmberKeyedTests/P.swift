@testable import AmberKeyed
