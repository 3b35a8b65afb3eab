// Package rest replaces the cluster connection, which a renderer without a cluster never has.
package rest

// Config is never created.
type Config struct{}
