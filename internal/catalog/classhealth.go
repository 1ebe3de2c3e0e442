package catalog

import (
	"time"

	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/message"
)

// Problem is one thing that is not well with a class, with what it means for
// people who use it.
type Problem struct {
	Text    message.Text // what is wrong
	Meaning message.Text // what it means for clusters of the class
	Words   string       // the controller's own words; may be empty, may have several lines
	Since   time.Time    // zero when unknown
	Blocks  bool         // no cluster is built or changed until the class's owner acts
}

// Problems lists what is not well with a class, the worst first; empty when all
// is. One cause is told once: conflicts and a failed discovery keep
// observedGeneration behind.
func Problems(cc *clusterv1.ClusterClass) []Problem {
	variables := apimeta.FindStatusCondition(cc.Status.Conditions, clusterv1.ClusterClassVariablesReadyCondition)
	failed := variables != nil && variables.Status == metav1.ConditionFalse && variables.ObservedGeneration == cc.Generation
	out := conflictProblems(cc, variables)
	conflict := len(out) > 0
	if !cc.DeletionTimestamp.IsZero() {
		out = append(out, Problem{
			Text:    message.New("catalog.problem.deleting"),
			Meaning: message.New("catalog.problem.deleting.meaning"),
			Since:   cc.DeletionTimestamp.Time,
		})
	}
	if !failed && (variables == nil || cc.Generation != cc.Status.ObservedGeneration) {
		out = append(out, Problem{
			Text:    message.New("catalog.problem.behind"),
			Meaning: message.New("catalog.problem.unchecked"),
		})
	}
	if variables != nil && variables.Status != metav1.ConditionTrue && !conflict {
		out = append(out, conditionProblem("catalog.problem.variables", "catalog.problem.variables.meaning", variables))
	}
	return append(out, conditionProblems(cc)...)
}

// conflictProblems says which variables contradict themselves; the condition, if
// there is one, since when.
func conflictProblems(cc *clusterv1.ClusterClass, variables *metav1.Condition) []Problem {
	var out []Problem
	for _, name := range conflicts(cc) {
		p := Problem{
			Text:    message.New("catalog.problem.conflict", message.Str("name", name)),
			Meaning: message.New("catalog.problem.conflict.meaning"),
			Blocks:  true,
		}
		if variables != nil && variables.Status == metav1.ConditionFalse {
			p.Words, p.Since = variables.Message, variables.LastTransitionTime.Time
		}
		out = append(out, p)
	}
	return out
}

// conflicts names the variables with definitions that contradict each other.
func conflicts(cc *clusterv1.ClusterClass) []string {
	var names []string
	for i := range cc.Status.Variables {
		if v := &cc.Status.Variables[i]; isTrue(v.DefinitionsConflict) {
			names = append(names, v.Name)
		}
	}
	return names
}

func conditionProblems(cc *clusterv1.ClusterClass) []Problem {
	var out []Problem
	refs := apimeta.FindStatusCondition(cc.Status.Conditions, clusterv1.ClusterClassRefVersionsUpToDateCondition)
	if refs != nil && refs.Status == metav1.ConditionFalse {
		out = append(out, conditionProblem("catalog.problem.newer", "catalog.problem.newer.meaning", refs))
	}
	if unresolved(cc) {
		out = append(out, conditionProblem(problemTemplates, "catalog.problem.templates.meaning", refs))
	}
	paused := apimeta.FindStatusCondition(cc.Status.Conditions, clusterv1.PausedCondition)
	if paused != nil && paused.Status == metav1.ConditionTrue {
		out = append(out, conditionProblem("catalog.problem.paused", "catalog.problem.paused.meaning", paused))
	}
	return out
}

func conditionProblem(text, meaning message.Key, c *metav1.Condition) Problem {
	return Problem{
		Text: message.New(text), Meaning: message.New(meaning),
		Words: c.Message, Since: c.LastTransitionTime.Time,
	}
}

// problemTemplates is what is said while nobody knows which template it is.
const problemTemplates = message.Key("catalog.problem.templates")

func unresolved(cc *clusterv1.ClusterClass) bool {
	return apimeta.IsStatusConditionPresentAndEqual(cc.Status.Conditions, clusterv1.ClusterClassRefVersionsUpToDateCondition, metav1.ConditionUnknown)
}
