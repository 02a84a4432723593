package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestMCPOnStdioReadsTheSample(t *testing.T) {
	command := exec.Command(built(t), "mcp", "--content", filepath.Join("..", "..", "content"), "--state", t.TempDir())
	var said bytes.Buffer
	command.Stderr = &said
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, said.Bytes())
	}
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "search", Arguments: map[string]any{"q": "arm"}})
	if err != nil || r.IsError {
		t.Fatalf("%v %v", r, err)
	}
	told, err := json.Marshal(r.StructuredContent)
	if err != nil || !bytes.Contains(told, []byte("/companies/")) {
		t.Errorf("%s %v", told, err)
	}
	if err := session.Close(); err != nil {
		t.Errorf("the program does not end with its input: %v\n%s", err, said.Bytes())
	}
}
