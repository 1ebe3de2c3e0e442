package main

import (
	"runtime"
	"runtime/debug"
)

// version is set by the linker (-X main.version=…).
var version = ""

// versionLine is the version with Go's and the commit's.
func versionLine() string {
	line := "capstan " + currentVersion()
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				line += " (" + s.Value[:12] + ")"
			}
		}
	}
	return line + " " + runtime.Version()
}

func currentVersion() string {
	if version == "" {
		return "unknown"
	}
	return version
}
