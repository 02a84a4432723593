//go:build !linux

package main

// settle does nothing where no call is known.
func settle() {}
