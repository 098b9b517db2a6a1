"""Examples of hypothesis have no deadline: the first call of `galois` compiles, and machines that test are busy."""

from hypothesis import settings

settings.register_profile("tests", deadline=None)
settings.load_profile("tests")
