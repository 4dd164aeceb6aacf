#!/bin/sh
# The errors of what the model says of time and caches, as src/model/hardware/errors.def has them, are those of the launches to judge by.
exec "${top_builddir:-.}/tests/timing" --check "${top_srcdir:-.}/tests/time/h200/judge.tsv"
