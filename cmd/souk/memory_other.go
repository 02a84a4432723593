//go:build !linux

package main

// hugePages does nothing: that is for the kernel to decide here.
func hugePages() {}
