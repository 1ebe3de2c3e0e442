package catalog

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Cluster API says only that some template could not be followed; whoever knows
// which puts its name in the place of the doubt.
func TestMissingTemplates(t *testing.T) {
	cc := &clusterv1.ClusterClass{}
	cc.Spec.Infrastructure.TemplateRef = clusterv1.ClusterClassTemplateReference{Kind: "DevClusterTemplate", Name: "here"}
	cc.Status.Conditions = []metav1.Condition{
		{Type: clusterv1.ClusterClassVariablesReadyCondition, Status: metav1.ConditionTrue},
		{Type: clusterv1.ClusterClassRefVersionsUpToDateCondition, Status: metav1.ConditionUnknown, Message: "Please check controller logs for errors"},
	}
	b := NewBlueprint(cc)
	if !b.Unresolved || b.Blocked() || len(b.Problems) != 1 {
		t.Fatalf("got %+v", b.Problems)
	}
	if same := b.WithMissing(nil); same.Blocked() || len(same.Problems) != 1 {
		t.Errorf("nothing is known, but said is %+v", same.Problems)
	}
	known := b.WithMissing([]Target{{Kind: "KubeadmConfigTemplate", Name: "gone"}})
	if len(known.Problems) != 1 || known.Problems[0].Text.Key != "catalog.problem.missing" || !known.Blocked() || known.Troubles != 1 {
		t.Errorf("got %+v", known.Problems)
	}
	cc.Status.Conditions[1].Status = metav1.ConditionTrue
	if NewBlueprint(cc).Unresolved {
		t.Error("all references are up to date, but said to be in doubt")
	}
}
