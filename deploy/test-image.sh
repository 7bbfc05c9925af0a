#!/bin/bash
# npm run test:image: builds the container image and starts it without a network and with a read-only root. Needs Debian,
# root and a package mirror, and takes some minutes. The base image is made by mmdebstrap, so no image registry is used.
set -euo pipefail
cd "$(dirname "$0")/.."

max_image_mb=250
max_ready_ms=3000
max_idle_mb=110
idle_s=5

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cache=.cache/image
mkdir -p "$cache"
fail() { echo "FAILED: $1" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail 'this test mounts folders: run it as root'
for program in buildah mmdebstrap; do
  command -v "$program" >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$program"
done
run_buildah() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }

node_version=$(sed -n 's/^ARG NODE_VERSION=//p' Dockerfile)
base="localhost/node:$node_version-bookworm-slim"
node=$(realpath node_modules/.bin/node)
[ "$("$node" --version)" = "v$node_version" ] || fail "the Dockerfile names another Node than the project's"

echo '1. Base image'
sources=/etc/apt/sources.list.d/debian.sources
[ -e "$sources" ] || sources=/etc/apt/sources.list
[ -e "$cache/base.tar" ] || mmdebstrap --quiet --variant=essential --include=libstdc++6,ca-certificates \
  bookworm "$cache/base.tar" "$sources"
container=$(run_buildah from scratch)
run_buildah add --quiet "$container" "$cache/base.tar" / >/dev/null
run_buildah copy --quiet "$container" "$node" /usr/local/bin/node >/dev/null
run_buildah copy --quiet "$container" "$(npm root --global)/npm" /usr/local/lib/node_modules/npm >/dev/null
run_buildah run --isolation chroot "$container" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
run_buildah commit --quiet --rm "$container" "$base" >/dev/null

echo '2. Image'
# The settings of npm on this machine: its registry and certificates.
cat "$(npm config get userconfig)" "$(npm config get globalconfig)" >"$work/npmrc" 2>/dev/null || true
touch "$work/ca.pem"
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  cp "$NODE_EXTRA_CA_CERTS" "$work/ca.pem"
  printf '\ncafile=/etc/npm-ca.pem\n' >>"$work/npmrc"
fi
run_buildah bud --quiet --isolation chroot --format docker --pull-never --layers=false --timestamp 0 \
  --volume "$work/npmrc:/usr/local/etc/npmrc:ro" --volume "$work/ca.pem:/etc/npm-ca.pem:ro" \
  --build-arg VERSION=test --build-arg REVISION="$(git rev-parse HEAD)" \
  --tag localhost/latchkey:test . >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; fail 'the image does not build'; }

inspect() { run_buildah inspect --type image --format "$1" localhost/latchkey:test; }
[ "$(inspect '{{.OCIv1.Config.User}}')" = 65532:65532 ] || fail 'the image runs as another user than 65532'
inspect '{{.Docker.Config.Healthcheck}}' | grep -q health-check.mjs || fail 'the image has no health check'
inspect '{{index .OCIv1.Config.Labels "org.opencontainers.image.version"}}' | grep -qx test || fail 'the image has no version'

container=$(run_buildah from --pull-never localhost/latchkey:test)
root=$(run_buildah mount "$container")
image_mb=$(du -sm --apparent-size "$root" | cut -f1)
echo "   $image_mb MB"
[ "$image_mb" -le "$max_image_mb" ] || fail "the image has more than $max_image_mb MB"
[ ! -e "$root/bin/sh" ] || fail 'the image has a shell'

echo '3. Start without a network, with a read-only root'
mkdir "$work/root" "$work/data"
chown 65532:65532 "$work/data"
mapfile -t variables < <(inspect '{{range .OCIv1.Config.Env}}{{println .}}{{end}}' | grep .)
mapfile -t command < <(inspect '{{range .OCIv1.Config.Entrypoint}}{{println .}}{{end}}{{range .OCIv1.Config.Cmd}}{{println .}}{{end}}' | grep .)
export root work max_ready_ms max_idle_mb idle_s
unshare --net --mount --pid --fork bash -euo pipefail -s "${variables[@]}" -- "${command[@]}" <<'INSIDE'
fail() { echo "FAILED: $1" >&2; cat "$work/log" >&2; exit 1; }
variables=()
while [ "$1" != -- ]; do variables+=("$1"); shift; done
shift
ip link set lo up
mount --bind "$root" "$work/root"
mount -o remount,bind,ro "$work/root"
mount --bind "$work/data" "$work/root/data"
mount -t proc proc /proc
inside() {
  exec env -i "${variables[@]}" DIALOG_ORIGIN=https://dialog.example WALLET_ORIGIN=https://wallet.example \
    SMTP_URL=smtp://127.0.0.1:1 MAIL_FROM='Fieldnotes <login@example.com>' DRAIN_MS=0 \
    chroot --userspec=65532:65532 --groups= "$work/root" "$@"
}
started=$(date +%s%N)
inside "$@" >"$work/log" 2>&1 &
server=$!
until curl -sf -o /dev/null http://127.0.0.1:4000/readyz; do
  [ $((($(date +%s%N) - started) / 1000000)) -lt 30000 ] || fail 'the server is not ready after 30 s'
  kill -0 "$server" 2>/dev/null || fail 'the server ended'
  sleep 0.05
done
ready_ms=$((($(date +%s%N) - started) / 1000000))
(inside /usr/local/bin/node /opt/latchkey/health-check.mjs) || fail 'the health check says that the server is not ready'
sleep "$idle_s"
idle_mb=$(($(awk '/^VmRSS/ { print $2 }' "/proc/$server/status") / 1000))
echo "   ready in $ready_ms ms, $idle_mb MB idle"
[ "$ready_ms" -le "$max_ready_ms" ] || fail "ready after more than $max_ready_ms ms"
[ "$idle_mb" -le "$max_idle_mb" ] || fail "more than $max_idle_mb MB idle"
(inside /usr/local/bin/node /opt/latchkey/latchkey.mjs app list) >/dev/null || fail 'a command fails beside the server'
curl -sf -H 'Host: dialog.example' http://127.0.0.1:4000/loader/v1/loader.js | grep -q . ||
  fail 'the loader is not served'
kill -TERM "$server"
wait "$server" || fail "SIGTERM ends the server with code $?"
if (inside /usr/local/bin/node /opt/latchkey/health-check.mjs) 2>/dev/null; then
  fail 'the health check passes without a server'
fi
INSIDE
echo 'The image passes.'
