// AmberTestSupport
