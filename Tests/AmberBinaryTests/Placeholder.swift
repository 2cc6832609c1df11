// AmberBinaryTests
