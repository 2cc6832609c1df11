// AmberBytesTests
