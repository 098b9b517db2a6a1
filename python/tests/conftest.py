"""What all tests have in common."""

import signal

from hypothesis import settings

# The first call of `galois` compiles, and machines that test are busy.
settings.register_profile("tests", deadline=None)
settings.load_profile("tests")

# Where tests run in the background of a shell SIGINT is ignored, and Python raises no KeyboardInterrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
