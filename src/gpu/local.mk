# see src/base/local.mk for the shape
