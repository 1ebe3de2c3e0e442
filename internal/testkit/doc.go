// Package testkit is what tests share: builders of CAPI objects, the sandbox
// (a real management cluster) and a real browser. Imported by tests only.
package testkit
