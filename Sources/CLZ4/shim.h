// liblz4's frame interface: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
#include <lz4.h>
#include <lz4frame.h>
