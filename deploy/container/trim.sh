#!/bin/sh
# Removes what a server never reads: development packages, headers, sources of native code, other platforms, type declarations, maps, tests.
set -eu
cd /app
npm prune --omit=dev --ignore-scripts --no-audit --no-fund
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) echo "no Node for $(uname -m)" >&2; exit 1 ;;
esac
mkdir -p /out/bin /out/data
mv "node_modules/node-linux-$arch/bin/node" deploy/container/lyceum /out/bin/
mv deploy/container/health.mjs /app/health.mjs
rm -rf deploy node_modules/node-linux-* node_modules/.bin node_modules/.package-lock.json
rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src
find node_modules/better-sqlite3/prebuilds -name '*.node' ! -name "linux-$arch.node" -delete
find . -path '*/node_modules/*' -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.md' \) -delete
find . -path '*/node_modules/*' -type d \( -name test -o -name tests -o -name __tests__ -o -name bench -o -name benchmark \) -prune -exec rm -rf {} +
/out/bin/node packages/server/bin/lyceum.mjs --version
