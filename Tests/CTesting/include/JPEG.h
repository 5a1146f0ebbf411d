// Creates the photograph that `make bench` decodes.
#include <turbojpeg.h>
