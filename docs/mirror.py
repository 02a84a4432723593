#!/usr/bin/env python3
"""Keep a copy of all public documents of a marketplace that Souk serves.

    python3 mirror.py https://market.example/api/v1 mirror

The folder then holds what is at /snapshot: the manifest, and the shards that it
lists. Each line of a shard (gzip) is one public document. A run fetches the
manifest, and of the shards only those that it does not have: each is compared
with the digest in the manifest before it takes its place, in one step. What the
manifest no longer lists is deleted: a company that was removed is in no shard any
more, so run this often, and delete what you made of its documents too.

It takes nothing but Python 3.8.
"""
import argparse, gzip, hashlib, http.client, json, os, re, sys, time, urllib.error, urllib.request

MANIFEST = "snapshot/manifest.jsonl.gz"
SHARD = re.compile(r"snapshot/[A-Za-z]+/(all|[01]+)\.jsonl\.gz")
TRIES = 10  # of a release that changes while it is read


class Changed(Exception):
    """A shard is not the one that the manifest lists: there is a newer release."""


def fetch(api, path):
    asked = urllib.request.Request(api + "/" + path, headers={"Accept-Encoding": "identity", "Cache-Control": "no-cache"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return answer.read()


def put(folder, path, body):
    """Bring a file into place whole."""
    at = os.path.join(folder, *path.split("/"))
    os.makedirs(os.path.dirname(at), exist_ok=True)
    with open(at + ".new", "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    os.replace(at + ".new", at)


def shards(manifest):
    """The shards of a manifest by their paths, none of which leads elsewhere."""
    listed = [json.loads(line) for line in gzip.decompress(manifest).splitlines()]
    for shard in listed:
        if not SHARD.fullmatch(shard["path"]):
            raise ValueError("the manifest lists %r, which is no shard" % shard["path"])
    return {shard["path"]: shard for shard in listed}


def held(folder, shard):
    """Whether the folder has a shard as it is listed."""
    try:
        with open(os.path.join(folder, *shard["path"].split("/")), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest() == shard["sha256"]
    except FileNotFoundError:
        return False


def sync(api, folder):
    """Make the folder equal to one release; returns how many requests it took, and bytes."""
    manifest = fetch(api, MANIFEST)
    wanted, requests, size = shards(manifest), 1, len(manifest)
    for path, shard in wanted.items():
        if held(folder, shard):
            continue
        try:
            body = fetch(api, path)
        except urllib.error.HTTPError as error:
            raise Changed(path) if error.code in (404, 410) else error
        if hashlib.sha256(body).hexdigest() != shard["sha256"]:
            raise Changed(path)
        put(folder, path, body)
        requests, size = requests + 1, size + len(body)
    put(folder, MANIFEST, manifest)
    for at, _, names in os.walk(os.path.join(folder, "snapshot"), topdown=False):
        for name in names:
            file = os.path.join(at, name)
            path = os.path.relpath(file, folder).replace(os.sep, "/")
            if path != MANIFEST and path not in wanted:
                os.remove(file)
        if not os.listdir(at):
            os.rmdir(at)
    return requests, size


def once(api, folder):
    for attempt in range(TRIES):
        try:
            return sync(api, folder)
        except Changed as changed:
            print("mirror: %s is of another release than the manifest: again" % changed, file=sys.stderr)
            time.sleep(min(2 ** attempt, 30))  # the manifest may be kept by a cache for a while
    raise TimeoutError("the manifest and its shards were of different releases %d times" % TRIES)


def main():
    args = argparse.ArgumentParser(description="Keep a copy of all public documents of a marketplace.")
    args.add_argument("api", help="the address of its API, as in https://market.example/api/v1")
    args.add_argument("folder", help="where the copy is kept; what else is in its folder snapshot is deleted")
    args.add_argument("--once", action="store_true", help="run once and end")
    args.add_argument("--every", type=int, default=300, metavar="SECONDS", help="how long to wait between two runs (default: 300)")
    asked = args.parse_args()
    while True:
        try:
            print("mirror: %d requests, %d bytes" % once(asked.api.rstrip("/"), asked.folder), flush=True)
        except (OSError, ValueError, http.client.HTTPException) as error:
            print("mirror: %s" % error, file=sys.stderr, flush=True)
            if asked.once:
                sys.exit(1)
        if asked.once:
            return
        time.sleep(asked.every)


if __name__ == "__main__":
    main()
