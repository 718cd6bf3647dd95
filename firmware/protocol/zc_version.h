/* The one version number of all firmwares; firmware/build.py and the MicroPython port's build read it from here. */
#ifndef ZC_VERSION_H
#define ZC_VERSION_H

#define ZC_FIRMWARE_VERSION "1.1.0"

#endif
