package generic

// RESTOptionsGetter appears in signatures only.
type RESTOptionsGetter interface{}
