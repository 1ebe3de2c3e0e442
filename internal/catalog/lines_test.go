package catalog

import (
	"net/url"
	"testing"
)

// A text can be typed into a box of several lines, and stays in one while it is
// still empty.
func TestSeveralLines(t *testing.T) {
	schema := every(t)
	next, focus, fault, err := NewState(schema, "v").Do(Action{Verb: VerbLines, Name: "v.excluded"})
	if err != nil || fault != nil || focus != "v.excluded" {
		t.Fatalf("focus %q, fault %v, %v", focus, fault, err)
	}
	again := Parse(schema, "v", next.Values())
	n := again.Node("v.excluded")
	if !n.Multiline() || n.Set || len(again.Aside) > 0 {
		t.Errorf("read back as %+v, aside %v", n, again.Aside)
	}
	values := next.Values()
	values.Set(n.Name, "one\r\ntwo")
	if got := Parse(schema, "v", values).Node(n.Name).Text; got != "one\ntwo" {
		t.Errorf("the text is %q", got)
	}
	if _, _, _, err := next.Do(Action{Verb: VerbLines, Name: "v.count"}); err == nil {
		t.Error("a number has several lines")
	}
	if got := Parse(schema, "v", url.Values{"v.count.~lines": {"1"}}).Node("v.count"); got.Lines {
		t.Error("a number has several lines when it is submitted so")
	}
}
