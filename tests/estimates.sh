#!/bin/sh
# The errors of the model's estimates, as src/model/hardware/errors.def has them, are those of the recordings.
exec "${top_builddir:-.}/tests/estimates"
