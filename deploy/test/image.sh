#!/usr/bin/env bash
# Builds the image without Docker and without a registry of images, and checks a running container.
# Needs root, npm and Debian's packages buildah, mmdebstrap. The bases are made of Debian's packages and of the Node that npm installed.
# Usage: deploy/test/image.sh [FOLDER]    FOLDER keeps the bases, the layers for the next run, and the image in image.tar.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${1:-$(mktemp -d)}
mkdir -p "$work"
rm -f "$work/image.tar"
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
buildah() { command buildah --root "$work/storage" --runroot "$work/run" "$@"; }
containers=()
pids=()
finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for one in "${containers[@]}"; do buildah umount "$one" >/dev/null 2>&1; buildah rm "$one" >/dev/null 2>&1 || true; done
}
trap finish EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

arch=$(uname -m | sed 's/x86_64/x64/;s/aarch64/arm64/')
node=node_modules/node-linux-$arch/bin/node
[ -x "$node" ] || fail "run npm ci first"
library=(ca-certificates libc6 libgcc-s1 libstdc++6 tzdata netbase)
base() { # NAME VARIANT PACKAGES
  [ -s "$work/$1.tar" ] || mmdebstrap --quiet --variant="$2" --include="$3" bookworm "$work/$1.tar"
}
base run-base extract "$(IFS=,; echo "${library[*]}")"
base build-base essential "$(IFS=,; echo "${library[*]}")"

import_base() { # NAME: an image of the tar file
  local made
  made=$(buildah from scratch)
  buildah add -q "$made" "$work/$1.tar" / >/dev/null
  if [ "$1" = build-base ]; then
    buildah copy -q "$made" "$node" /usr/local/bin/node >/dev/null
    buildah copy -q "$made" "$(npm root -g)/npm" /usr/local/lib/node_modules/npm >/dev/null
    buildah run "$made" -- ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
    # The build below sees the certificates of this machine, which a registry behind a proxy may need.
    buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$made"
  fi
  buildah commit -q "$made" "localhost/$1" >/dev/null
  buildah rm "$made" >/dev/null
}
import_base run-base
import_base build-base

began=$SECONDS
buildah bud --format docker --layers -f deploy/Dockerfile --build-arg BUILD_BASE=localhost/build-base --build-arg RUN_BASE=localhost/run-base \
  --volume "$(npm config get cache):/root/.npm" --volume /etc/ssl/certs:/etc/ssl/certs:ro -t localhost/lyceum .
echo "build: $((SECONDS - began)) seconds"
buildah push -q localhost/lyceum "docker-archive:$work/image.tar:localhost/lyceum:0.1.0"

container=$(buildah from localhost/lyceum)
containers+=("$container")
root=$(buildah mount "$container")
size=$(du -sm "$root" | cut -f1)
echo "size: $size MB"
[ "$size" -lt 300 ] || fail "the image is larger than 300 MB"
config=$(buildah inspect --type image localhost/lyceum)
for want in '"65532:65532"' '"/data"' 'health.mjs' '"serve"'; do grep -q "$want" <<<"$config" || grep -q "${want//\"/}" <<<"$config" || fail "the image does not declare $want"; done
find "$root/app" "$root/usr/local" ! -user root -print -quit | grep . && fail "the program belongs to another user than root"
[ ! -e "$root/bin/sh" ] || echo "note: this base has a shell; the published one has none"

# A container with a read-only root file system, a volume and a temporary folder, as user 65532. Only chroot is needed for this.
data=$(mktemp -d) && chown 65532:65532 "$data" && chmod 700 "$data"
port=$((20000 + RANDOM % 20000))
mkdir -p "$root"/{proc,dev,tmp,data}
# The command is process 1 of its own tree, as in a container.
start() {
  exec unshare --mount --pid --fork --kill-child -- bash -ec '
    root=$1 data=$2 port=$3
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    mount --bind "$data" "$root/data"
    mount -o remount,bind,ro "$root"
    exec env -i PATH="$PATH:/usr/local/bin" NODE_ENV=production LYCEUM_HOST=0.0.0.0 LYCEUM_DATA_DIR=/data LYCEUM_PORT="$port" \
      chroot --userspec=65532:65532 "$root" "${@:4}"' - "$root" "$data" "$port" "$@"
}
(start /usr/local/bin/lyceum serve) >"$work/out" 2>"$work/err" &
pids+=($!)
for _ in $(seq 100); do grep -q 'is listening' "$work/out" && break; kill -0 "${pids[0]}" 2>/dev/null || { cat "$work/err"; fail "the server ended"; }; sleep 0.2; done
grep -q 'Set up the first administrator: http://127.0.0.1:' "$work/out" || fail "no setup link: $(cat "$work/out" "$work/err")"
(start /usr/local/bin/node /app/health.mjs) || fail "the health check fails"
[[ $(curl -fsS "http://127.0.0.1:$port/") == *'<!doctype html>'* ]] || fail "no web app"
[[ $(curl -fsS "http://127.0.0.1:$port/api/v2/openapi.json") == *'"openapi"'* ]] || fail "no description"
(start /usr/local/bin/lyceum user create --username ana --email ana@example.org --role admin) <<<'a long enough passphrase 7' || fail "no account"
(start /usr/local/bin/lyceum doctor) >/dev/null || fail "doctor finds problems"
(start /usr/local/bin/node -e 'require("node:fs").writeFileSync("/app/x", "")') 2>/dev/null && fail "the root file system can be written"
kill -TERM "$(pgrep -P "${pids[0]}")"
wait "${pids[0]}" || fail "the server did not stop cleanly"
(start /usr/local/bin/node /app/health.mjs) && fail "the health check passes without a server"
echo "The image was built, started as user 65532 with a read-only root file system, served, and stopped cleanly."
