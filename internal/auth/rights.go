package auth

// NamespaceRights is what a person may do in one namespace, for "who am I".
// Namespace "" means everywhere.
type NamespaceRights struct {
	Namespace                         string
	ListClusters, CreateClusters      bool
	ScaleClusters, DeleteClusters     bool
	ListMachines, ReadEvents, Classes bool
}
