// Package rest stands in for the connection to a cluster, which a renderer without one never has.
package rest

// Config is never made.
type Config struct{}
