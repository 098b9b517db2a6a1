"""The KEM HQC: HQC-1, HQC-3 and HQC-5 in profiles `nr` (that of liboqs 0.16) and `v5` (the reference code 5.0.0).

Builds with feature `hqc-2023` also have hqc-128, hqc-192 and hqc-256 in profile `2023`.

>>> from carryless.hqc import DecapsulationKey
>>> key = DecapsulationKey.generate("HQC-1")
>>> ciphertext, secret = key.encapsulation_key.encapsulate()
>>> key.decapsulate(ciphertext) == secret
True
"""

from ._carryless import HqcDecapsulationKey as DecapsulationKey
from ._carryless import HqcEncapsulationKey as EncapsulationKey

__all__ = ["DecapsulationKey", "EncapsulationKey"]
