package cache

// The parts of the informer cache that strategies name.

type IndexFunc func(object interface{}) ([]string, error)

type Indexers map[string]IndexFunc
