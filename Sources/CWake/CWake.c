#include "CWake.h"
