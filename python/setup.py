"""Packs the package that CMake has built in this folder: see `make wheel`."""

import pliant
from setuptools import Distribution, setup


class Built(Distribution):
    """It has a compiled module, though setuptools does not compile it."""

    def has_ext_modules(self):
        return True


setup(
    name="pliant",
    version=pliant.__version__,
    description="An engine for things that bend, and for what holds them together",
    license="MIT",
    python_requires=">=3.9",
    install_requires=["numpy"],
    packages=["pliant"],
    package_data={"pliant": ["*.so", "*.pyi", "py.typed", "web/player.html"]},
    distclass=Built,
)
