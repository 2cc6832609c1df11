// AmberModelTests
