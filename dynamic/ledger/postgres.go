package ledger

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// mostConnections is more than strangers and health checks may use at once (see package
// verification, share). It leaves room for several machines within the 100 connections that
// PostgreSQL allows by default.
const mostConnections = 8

// connectTime is how long to wait for a connection if the URL sets no connect_timeout.
const connectTime = 5 * time.Second

func connectPostgres(target string) (*Ledger, error) {
	config, err := readURL(target)
	if err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTime
	}
	for name, value := range map[string]string{
		"application_name":   "souk",
		"synchronous_commit": "on",
		// A writer that hangs must not block all others forever.
		"idle_in_transaction_session_timeout": "15s",
		"lock_timeout":                        "10s",
	} {
		if config.RuntimeParams[name] == "" {
			config.RuntimeParams[name] = value
		}
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(mostConnections)
	db.SetMaxIdleConns(mostConnections)
	session := config.Copy()
	// A renewal must see everything that was committed before it began.
	session.RuntimeParams["default_transaction_isolation"] = "read committed"
	return &Ledger{name: postgresName(target), writer: db, reader: db, dialect: inPostgres{}, session: session}, nil
}

// readURL parses a database URL.
func readURL(target string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(target)
	if err != nil || misread(target) {
		// The error of pgx quotes the URL, including any password that it cannot parse.
		return nil, errors.New("the URL of PostgreSQL cannot be read: write postgres://user:password@host:5432/name, with special characters percent-encoded")
	}
	return config, nil
}

// misread reports whether the database name contains an @. It then belongs to a password
// whose / is not encoded, so host, port and name, which connection errors quote, are parts
// of that password.
func misread(target string) bool {
	_, rest, _ := strings.Cut(target, "://")
	_, rest, _ = strings.Cut(rest, "/")
	name, _, _ := strings.Cut(rest, "?")
	return strings.Contains(name, "@")
}

// postgresName returns a URL without anything that may be secret.
func postgresName(target string) string {
	u, err := url.Parse(target)
	_, rest, _ := strings.Cut(target, "://")
	end := strings.IndexAny(rest, "/?#")
	// An @ after the host may end a password: pgx accepts more characters in one than
	// package url.
	if err != nil || end >= 0 && strings.Contains(rest[end:], "@") {
		return "at PostgreSQL"
	}
	u.RawQuery, u.Fragment = "", ""
	return u.Redacted()
}

type inPostgres struct{}

// bind numbers the placeholders. The queries of this package use ? for nothing else.
func (inPostgres) bind(query string) string {
	var b strings.Builder
	n := 0
	for part := range strings.SplitSeq(query, "?") {
		if n > 0 {
			b.WriteByte('$')
			b.WriteString(strconv.Itoa(n))
		}
		b.WriteString(part)
		n++
	}
	return b.String()
}

func (inPostgres) writing() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelSerializable}
}

func (inPostgres) reading() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

// exclude returns the first statement of a transaction, so that its snapshot is taken after
// all other writers are done (PostgreSQL manual, LOCK). Readers do not wait for it.
func (inPostgres) exclude() string { return "LOCK TABLE meta IN EXCLUSIVE MODE" }

// announce notifies all listeners once the transaction is committed (PostgreSQL manual,
// NOTIFY).
func (inPostgres) announce() string { return "SELECT pg_notify('" + channel + "', '')" }

// PostgreSQL error codes (PostgreSQL manual, appendix A).
const (
	codeSerialization   = "40001"
	codeDeadlock        = "40P01"
	codeLockTimeout     = "55P03"
	codeDiskFull        = "53100"
	codeTooMany         = "53300"
	codeNoPassword      = "28P01"
	codeNoUser          = "28000"
	codeNoDatabase      = "3D000"
	codeNoPrivilege     = "42501"
	codeNoTable         = "42P01"
	codeReadOnly        = "25006"
	classOperator       = "57P"
	classConnectionLost = "08"
)

func (inPostgres) transient(err error) bool {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code == codeSerialization || e.Code == codeDeadlock
	}
	return false
}

func (inPostgres) lost(err error) bool {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return ending(e.Code)
	}
	if unreachable(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var network net.Error
	return pgconn.SafeToRetry(err) || errors.As(err, &network) || errors.Is(err, net.ErrClosed) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// unreachable reports whether no connection could be made.
func unreachable(err error) bool {
	var refused *pgconn.ConnectError
	return errors.As(err, &refused)
}

// ending reports whether PostgreSQL ends or refuses a connection with the code.
func ending(code string) bool {
	return strings.HasPrefix(code, classOperator) || strings.HasPrefix(code, classConnectionLost)
}

func (i inPostgres) hint(err error) string {
	const running = "check that PostgreSQL is running and that this machine can reach it"
	var e *pgconn.PgError
	var step *databaseError
	switch {
	case errors.As(err, &e):
		return hintOf(e.Code)
	case unreachable(err):
		return running
	case !i.lost(err):
		return ""
	case errors.As(err, &step) && step.doing == committing:
		return running + "; whether the change was committed is unknown"
	default:
		return running
	}
}

func hintOf(code string) string {
	switch code {
	case codeSerialization, codeDeadlock, codeLockTimeout:
		return "another program keeps changing it: check pg_stat_activity"
	case codeDiskFull:
		return "the database's disk is full: free some space"
	case codeTooMany:
		return "the database has too many connections: allow more, or close some"
	case codeNoPassword, codeNoUser:
		return "the user or the password is wrong"
	case codeNoDatabase:
		return "create the database with createdb"
	case codeNoPrivilege:
		return "make this user the owner of the database's tables"
	case codeNoTable:
		return "tables are missing: restore them from a backup, because they record which sellers were removed"
	case codeReadOnly:
		return "this is a standby, which is read-only: give the address of the primary"
	}
	if ending(code) {
		return fmt.Sprintf("PostgreSQL is starting or stopping (%s): try again in a moment", code)
	}
	return ""
}
