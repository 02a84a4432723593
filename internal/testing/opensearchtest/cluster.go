//go:build unix

package opensearchtest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// folderVariable names the folder of OpenSearch, nodesVariable how many nodes tests of
// several may start, heapVariable the heap of each as Java takes it.
const (
	folderVariable = "SOUK_TEST_OPENSEARCH"
	nodesVariable  = "SOUK_TEST_OPENSEARCH_NODES"
	heapVariable   = "SOUK_TEST_OPENSEARCH_HEAP"
)

// A Cluster is some nodes on this machine, for one test or for all of a package.
type Cluster struct {
	folder string
	user   *syscall.Credential
	Nodes  []*Node
}

// A Node is a process of OpenSearch.
type Node struct {
	// Host is its address, host:port.
	Host    string
	folder  string
	process *exec.Cmd
	// lifeline keeps the node alive: it is killed when this is closed.
	lifeline io.Closer
}

// Skip skips a test where there is no OpenSearch, or not for so many nodes.
func Skip(t testing.TB, nodes int) {
	t.Helper()
	if os.Getenv(folderVariable) == "" {
		t.Skipf("no OpenSearch: set %s to the folder of OpenSearch 2.19, as the documentation of this package says", folderVariable)
	}
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip("no Java: install Debian's package openjdk-17-jre-headless")
	}
	if most, _ := strconv.Atoi(os.Getenv(nodesVariable)); nodes > max(1, most) {
		t.Skipf("this needs %d nodes of OpenSearch: set %s=%d", nodes, nodesVariable, nodes)
	}
}

// New starts a cluster that ends with the test.
func New(t testing.TB, nodes int) *Cluster {
	t.Helper()
	Skip(t, nodes)
	c, err := Start(nodes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Start starts a cluster and waits until it answers.
func Start(nodes int) (_ *Cluster, err error) {
	c := &Cluster{}
	if c.folder, err = os.MkdirTemp("", "souk-opensearch-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.Close()
		}
	}()
	if os.Geteuid() == 0 {
		u, err := user.Lookup("nobody") // OpenSearch refuses to run as root
		if err != nil {
			return nil, err
		}
		uid, _ := strconv.ParseUint(u.Uid, 10, 32)
		gid, _ := strconv.ParseUint(u.Gid, 10, 32)
		c.user = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(c.folder, int(uid), int(gid)); err != nil {
			return nil, err
		}
	}
	ports, err := freePorts(2 * nodes)
	if err != nil {
		return nil, err
	}
	var names, seeds []string
	for i := range nodes {
		names, seeds = append(names, fmt.Sprint("node-", i)), append(seeds, fmt.Sprint("127.0.0.1:", ports[nodes+i]))
	}
	for i := range nodes {
		n := &Node{Host: fmt.Sprint("127.0.0.1:", ports[i]), folder: filepath.Join(c.folder, names[i])}
		c.Nodes = append(c.Nodes, n)
		if err := c.start(n, ports[nodes+i], names, seeds, i); err != nil {
			return nil, err
		}
	}
	for _, n := range c.Nodes {
		if err := n.await(nodes); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// start starts a node: the child of a shell that kills it when the shell's input ends, which
// also happens when this process is killed.
func (c *Cluster) start(n *Node, transport int, names, seeds []string, at int) error {
	home, heap := os.Getenv(folderVariable), cmp.Or(os.Getenv(heapVariable), "512m")
	config := filepath.Join(n.folder, "config")
	settings := []string{
		"cluster.name: souk-test", "node.name: " + names[at], "network.host: 127.0.0.1", "http.port: " + strings.Split(n.Host, ":")[1],
		fmt.Sprint("transport.port: ", transport), "discovery.seed_hosts: [" + strings.Join(seeds, ", ") + "]",
		"cluster.initial_cluster_manager_nodes: [" + strings.Join(names, ", ") + "]",
		"path.data: " + filepath.Join(n.folder, "data"), "path.logs: " + filepath.Join(n.folder, "logs"),
		"cluster.routing.allocation.disk.threshold_enabled: false", "cluster.fault_detection.follower_check.timeout: 2s",
		"node.store.allow_mmap: false",
	}
	files := map[string]string{
		"opensearch.yml":    strings.Join(settings, "\n") + "\n",
		"jvm.options":       "-Xms" + heap + "\n-Xmx" + heap + "\n-XX:+UseG1GC\n-Dlog4j2.formatMsgNoLookups=true\n-Djava.security.manager=allow\n",
		"log4j2.properties": "status = error\nappender.console.type = Console\nappender.console.name = console\nappender.console.layout.type = PatternLayout\nappender.console.layout.pattern = [%d][%p] %c: %m%n\nrootLogger.level = warn\nrootLogger.appenderRef.console.ref = console\n",
	}
	if err := os.MkdirAll(filepath.Join(config, "jvm.options.d"), 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(config, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if c.user != nil {
		own := func(path string, _ os.DirEntry, err error) error {
			return errors.Join(err, os.Chown(path, int(c.user.Uid), int(c.user.Gid)))
		}
		if err := filepath.WalkDir(n.folder, own); err != nil {
			return err
		}
	}
	log, err := os.Create(filepath.Join(c.folder, names[at]+".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	java, err := exec.LookPath("java")
	if err != nil {
		return err
	}
	const guard = `"$@" & node=$!; read -r _; kill -KILL $node; wait $node`
	n.process = exec.Command("/bin/sh", "-c", guard, "sh", java, "-Xms"+heap, "-Xmx"+heap, "-XX:+UseG1GC", "-XX:-UsePerfData",
		"-Djava.security.manager=allow", "-Djava.io.tmpdir="+c.folder, "-Dlog4j.shutdownHookEnabled=false", "-Dlog4j2.disable.jmx=true", "-Dlog4j2.formatMsgNoLookups=true",
		"-Dopensearch.path.home="+home, "-Dopensearch.path.conf="+config, "-Dopensearch.distribution.type=tar", "-Dopensearch.bundled_jdk=false",
		"-cp", filepath.Join(home, "lib", "*"), "org.opensearch.bootstrap.OpenSearch")
	n.process.SysProcAttr, n.process.Dir = &syscall.SysProcAttr{Credential: c.user}, c.folder
	n.process.Stdout, n.process.Stderr = log, log
	if n.lifeline, err = n.process.StdinPipe(); err != nil {
		return err
	}
	return n.process.Start()
}

// await polls until the node is one of so many.
func (n *Node) await(nodes int) error {
	const patience = 2 * time.Minute
	status := "it did not answer"
	for began := time.Now(); time.Since(began) < patience; <-time.After(200 * time.Millisecond) {
		response, err := http.Get("http://" + n.Host + "/_cluster/health?wait_for_nodes=" + strconv.Itoa(nodes) + "&timeout=1s")
		if err != nil {
			status = err.Error()
			continue
		}
		response.Body.Close()
		if status = response.Status; response.StatusCode == http.StatusOK {
			return nil
		}
	}
	log, _ := os.ReadFile(n.folder + ".log")
	return fmt.Errorf("OpenSearch at %s does not start: %s\n%s", n.Host, status, log)
}

// Address returns what --search takes, for an alias.
func (c *Cluster) Address(alias string) string {
	address := "opensearch://" + c.Nodes[0].Host + "/" + alias
	for i, n := range c.Nodes[1:] {
		address += string("?&"[min(i, 1)]) + "node=" + n.Host
	}
	return address
}

// Kill kills a node at once, as a power failure would.
func (n *Node) Kill() {
	if n.lifeline != nil {
		n.lifeline.Close()
		_ = n.process.Wait() // it was killed and returns an exit code
		n.lifeline = nil
	}
}

// Close kills all nodes and deletes their folders.
func (c *Cluster) Close() {
	for _, n := range c.Nodes {
		if n.process != nil && n.process.Process != nil {
			n.Kill()
		}
	}
	os.RemoveAll(c.folder)
}

// AwaitGreen waits until every shard has its replicas.
func (c *Cluster) AwaitGreen(t testing.TB) {
	t.Helper()
	response, err := http.Get("http://" + c.Nodes[0].Host + "/_cluster/health?wait_for_status=green&timeout=60s")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("the cluster is not green: %s", response.Status)
	}
}
