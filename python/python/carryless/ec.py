"""ECDH and ECDSA on the binary curves of NIST, by their names: K-163 and B-163 to K-571 and B-571, or sect233r1.
DSTU 4145 signs on all of them; builds with the feature dstu-curves have its own curves, dstu-m163 to dstu-m431.

NIST SP 800-186 deprecates its binary curves for new designs.

>>> import hashlib
>>> from carryless.ec import SecretKey
>>> alice, bob = SecretKey.generate("B-233"), SecretKey.generate("B-233")
>>> alice.exchange(bob.public_key) == bob.exchange(alice.public_key)
True
>>> hash = hashlib.sha256(b"message").digest()
>>> alice.public_key.verify(hash, alice.sign(hash))
"""

from ._carryless import EcPublicKey as PublicKey
from ._carryless import EcSecretKey as SecretKey

__all__ = ["PublicKey", "SecretKey"]
