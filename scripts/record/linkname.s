// Allows Go files of this package to declare functions without a body (see go:linkname).
