package config

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Fault is one setting that can't be used.
type Fault struct{ Setting, Problem string }

// Faults is everything that is wrong with the settings. No value of a secret
// stands in it.
type Faults []Fault

// Error is a table, one line per fault.
func (f Faults) Error() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, one := range f {
		_, _ = fmt.Fprintf(w, "  %s\t%s\n", one.Setting, one.Problem)
	}
	_ = w.Flush()
	return "these settings can't be used:\n" + strings.TrimRight(b.String(), "\n")
}

// Source is where settings come from: the process's own, or a test's.
type Source struct {
	Args     []string
	Env      func(string) (string, bool)
	ReadFile func(string) ([]byte, error)
	Usage    io.Writer // where --help is written
}

// Load reads all settings. The error is flag.ErrHelp after --help, a Faults, or
// an unknown flag.
func Load(src Source) (Config, error) {
	table := settings()
	given, err := parseFlags(src, table)
	if err != nil {
		return Config{}, err
	}
	var c Config
	var faults Faults
	for _, s := range table {
		value, err := s.value(src, given)
		if err == nil {
			err = s.set(&c, value)
		}
		if err != nil {
			faults = append(faults, Fault{Setting: s.env(), Problem: err.Error()})
		}
	}
	faults = append(faults, c.complete(faults)...)
	if len(faults) > 0 {
		return Config{}, faults
	}
	return c, nil
}

// complete checks what concerns several settings and makes up a key on a
// development machine.
func (c *Config) complete(known Faults) Faults {
	var faults Faults
	bad := map[string]bool{}
	for _, f := range known {
		bad[f.Setting] = true
	}
	if len(c.Session.Keys) == 0 && !bad["CAPSTAN_SESSION_KEYS"] && c.PublicURL != nil {
		if !c.Loopback() {
			faults = append(faults, Fault{"CAPSTAN_SESSION_KEYS", "is missing: all replicas need the same key (id:$(openssl rand -base64 32))"})
		} else {
			secret := make([]byte, 32)
			_, _ = rand.Read(secret) // never fails: crypto/rand ends the program instead
			c.Session.Keys, c.Session.RandomKey = []Key{{ID: "random", Secret: secret}}, true
		}
	}
	if c.Session.Max > 0 && c.Session.Idle > c.Session.Max {
		faults = append(faults, Fault{"CAPSTAN_SESSION_IDLE", "is longer than CAPSTAN_SESSION_MAX"})
	}
	return faults
}

func (s setting) env() string {
	return "CAPSTAN_" + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
}

// value finds a setting's text: flag, flag of the file, variable, variable of
// the file, preset.
func (s setting) value(src Source, given map[string]string) (string, error) {
	if v, ok := given[s.name]; ok {
		return v, nil
	}
	if path, ok := given[s.name+"-file"]; ok {
		return readSecret(src, path)
	}
	v, ok := src.Env(s.env())
	path, fromFile := "", false
	if s.file {
		path, fromFile = src.Env(s.env() + "_FILE")
	}
	switch {
	case ok && fromFile && v != "" && path != "":
		return "", errors.New("is given twice: directly and as _FILE")
	case fromFile && path != "":
		return readSecret(src, path)
	case ok && v != "":
		return v, nil
	}
	return s.preset, nil
}

func readSecret(src Source, path string) (string, error) {
	b, err := src.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("can't be read from its file: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

func parseFlags(src Source, table []setting) (map[string]string, error) {
	fs := flag.NewFlagSet("capstan serve", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, s := range table {
		fs.String(s.name, s.preset, s.help)
		if s.file {
			fs.String(s.name+"-file", "", "file that holds it: "+s.help)
		}
	}
	err := fs.Parse(src.Args)
	if errors.Is(err, flag.ErrHelp) && src.Usage != nil {
		_, _ = fmt.Fprintln(src.Usage, "capstan serve: the portal. Each flag has a variable: --public-url is CAPSTAN_PUBLIC_URL.")
		fs.SetOutput(src.Usage)
		fs.PrintDefaults()
	}
	if err != nil {
		return nil, err
	}
	if fs.NArg() > 0 {
		return nil, Faults{{fs.Arg(0), "is no setting"}}
	}
	given := map[string]string{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = f.Value.String() })
	return given, nil
}
