"""Builds the C library from a source archive, by a Rust toolchain of the system:

git archive --prefix=carryless-0.1.0/ -o carryless-0.1.0.tar.gz HEAD
conan create packaging/conan --version 0.1.0 -c user.carryless:archive=$PWD/carryless-0.1.0.tar.gz
"""

import glob
import os

from conan import ConanFile
from conan.errors import ConanException, ConanInvalidConfiguration
from conan.tools.files import copy, load, unzip

required_conan_version = ">=2.0"


class Carryless(ConanFile):
    name = "carryless"
    description = "Fast polynomial and finite-field arithmetic for cryptography"
    license = "Apache-2.0 OR MIT"
    package_type = "library"
    settings = "os", "arch"
    # Groups of functions, comma-separated; all if there are none.
    options = {"shared": [True, False], "groups": ["ANY"]}
    default_options = {"shared": True, "groups": ""}

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("the recipe installs what the build makes on Linux")

    def source(self):
        archive = self.conf.get("user.carryless:archive", check_type=str)
        if not archive:
            raise ConanException("-c user.carryless:archive=FILE must name the source archive")
        unzip(self, archive, strip_root=True)

    @property
    def _target(self):
        return os.path.join(self.build_folder, "target")

    def build(self):
        groups = f" --groups={self.options.groups}" if self.options.groups else ""
        self.run(
            f'CARGO_TARGET_DIR="{self._target}" cargo run --quiet --locked --package xtask -- capi --archive{groups}',
            cwd=self.source_folder,
        )

    def package(self):
        (unpacked,) = glob.glob(os.path.join(self._target, "capi/unpacked/carryless-c-*"))
        library = "libcarryless.so*" if self.options.shared else "libcarryless.a"
        for pattern in ["include/*", f"lib/{library}", "lib/pkgconfig/*"]:
            copy(self, pattern, unpacked, self.package_folder)
        licences = os.path.join(unpacked, "share/doc/carryless")
        copy(self, "LICENSE-*", licences, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["carryless"]
        self.cpp_info.set_property("cmake_file_name", "carryless")
        self.cpp_info.set_property("cmake_target_name", "carryless::carryless")
        self.cpp_info.set_property("pkg_config_name", "carryless")
        if not self.options.shared:
            lines = load(self, os.path.join(self.package_folder, "lib/pkgconfig/carryless.pc")).splitlines()
            (private,) = [line for line in lines if line.startswith("Libs.private:")]
            self.cpp_info.system_libs = [flag[2:] for flag in private.split() if flag.startswith("-l")]
