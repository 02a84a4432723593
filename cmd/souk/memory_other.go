//go:build !linux

package main

// hugePages does nothing: on this system the kernel decides.
func hugePages() {}
