"""Adds the C library to the wheel. `make packages` builds the library into build/c."""

import os
import pathlib
import platform
import re
import subprocess

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BundleLibrary(BuildHookInterface):
    """Called by hatchling before it writes the wheel."""

    def initialize(self, version, build_data):
        """Adds the library, unless the package is installed in place for its development."""
        if version == "editable":
            return
        built = pathlib.Path(os.environ.get("DOLMEN_C", f"{self.root}/../../../build/c"))
        if not (built / "lib/libdolmen_c.so").is_file():
            raise FileNotFoundError(f"no C library in {built}: run `make packages` first")
        build_data["force_include"][str(built / "lib")] = "dolmen/lib"
        build_data["force_include"][str(built / "licenses")] = "dolmen/licenses"
        build_data["pure_python"] = False
        # The wheel needs the newest glibc that a function of the library asks for.
        symbols = subprocess.run(
            ["objdump", "-T", built / "lib/libdolmen_c.so"], check=True, capture_output=True, text=True
        ).stdout
        glibc = max(re.findall(r"GLIBC_2\.(\d+)", symbols), key=int)
        build_data["tag"] = f"py3-none-manylinux_2_{glibc}_{platform.machine()}"
