package hub

import (
	"fmt"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// writeAdminKubeconfig stores the administrator's access, certificates inline.
func writeAdminKubeconfig(file string, config *rest.Config) error {
	return writeKubeconfig(file, config, &api.AuthInfo{
		ClientCertificateData: config.CertData, ClientKeyData: config.KeyData,
	})
}

// WriteTokenKubeconfig stores access by a token that is read from tokenFile
// again and again, so that it can be renewed under a running client.
func (h *Hub) WriteTokenKubeconfig(file, tokenFile string) error {
	return writeKubeconfig(file, h.config, &api.AuthInfo{TokenFile: tokenFile})
}

func writeKubeconfig(file string, config *rest.Config, user *api.AuthInfo) error {
	const name = "capstan-sandbox"
	k := api.NewConfig()
	k.Clusters[name] = &api.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	k.AuthInfos[name] = user
	k.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	k.CurrentContext = name
	if err := clientcmd.WriteToFile(*k, file); err != nil {
		return fmt.Errorf("kubeconfig can't be written: %w", err)
	}
	return nil
}
