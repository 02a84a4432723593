//go:build !race

package dynamic

const slower = 1
