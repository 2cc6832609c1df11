#include "AmberRuntime.h"
