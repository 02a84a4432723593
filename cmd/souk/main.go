// Command souk builds and serves a marketplace of Sellers, Products, Services,
// Categories, Articles and Market Maps from a folder of Markdown and YAML.
//
// Each command is one file: its flags, one call, its exit code. What the
// commands do is done by the packages under build and dynamic.
package main

import (
	"os"
	"time"
)

func main() {
	os.Exit(run(os.Args[1:], environment{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, lookupenv: os.LookupEnv, now: time.Now,
	}))
}
