module k8s.io/apiextensions-apiserver

go 1.26.0

require k8s.io/client-go v0.37.0

replace k8s.io/client-go => ../client-go
