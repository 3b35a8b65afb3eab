// Lets Go files of this package declare functions without a body (see go:linkname).
