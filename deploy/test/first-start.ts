import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildPackages, packPackages } from '../../scripts/release/pack.ts'
import { newUser, type Started, serve, sh } from './first-start/commands.ts'
import { missingForContainers, startContainer, startService } from './first-start/containers.ts'
import { blocksOf } from './first-start/guide.ts'
import { missingForSystemd, startSystemd } from './first-start/systemd.ts'
import { posts, setUp } from './first-start/use.ts'

/*
 * Installs the last commit in each way of the guide, in an empty folder with an empty home folder and npm cache, and uses the community as its
 * first administrator. Fails if one takes more than two minutes. Needs root, npm, and Debian's packages podman, mmdebstrap, systemd-container.
 * The images are those of deploy/test/image.sh: only their start is timed, and the boot of the machine with systemd is not.
 * Usage: node deploy/test/first-start.ts FOLDER [WAY...]    FOLDER is that of image.sh.
 */

const LIMIT_SECONDS = 120
const GIVE_UP_MS = 600_000
const [, , kept = '', ...chosen] = process.argv
if (!kept) throw new Error('usage: node deploy/test/first-start.ts FOLDER [npx|clone|container|compose|systemd ...]')
// crun runs no container where both versions of cgroups are mounted.
if (existsSync('/sys/fs/cgroup/unified')) {
  const remount = 'umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; exec "$@"'
  const { status } = spawnSync('unshare', ['--mount', 'bash', '-euc', remount, '-', process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}

const image = join(resolve(kept), 'image.tar')

interface Way {
  readonly missing?: () => string | undefined
  /** Prepares the machine; what it returns is timed. */
  prepare(folder: string, port: number): Promise<(isLate: AbortSignal) => Promise<Started>>
}

const WAYS: Readonly<Record<string, Way>> = {
  npx: {
    prepare: async (folder, port) => {
      await buildPackages(process.cwd(), join(folder, 'packages'))
      const { lyceum } = packPackages(join(folder, 'packages'))
      const empty = join(folder, 'empty')
      mkdirSync(empty)
      return () => serve(`npx --yes --package=${lyceum} lyceum`, empty, { ...newUser(folder), LYCEUM_PORT: String(port) })
    },
  },
  clone: {
    prepare: async (folder, port) => {
      const clone = `git clone --quiet --depth 1 file://${process.cwd()} lyceum; cd lyceum`
      const commands = blocksOf('installation.md', 'From a checkout')[0]
      return () => serve(`${clone}\n${commands}`, folder, { ...newUser(folder), LYCEUM_PORT: String(port) })
    },
  },
  container: { missing: () => missingForContainers(image), prepare: (folder, port) => startContainer(folder, image, port) },
  compose: { missing: () => missingForContainers(image), prepare: (folder, port) => startService(folder, image, port) },
  systemd: { missing: missingForSystemd, prepare: (folder, port) => startSystemd(folder, resolve(kept), port) },
}

let failed = false
const tell = (way: string, seconds: number | null, result: string) => {
  failed ||= result.startsWith('FAILED')
  console.log(`${way.padEnd(10)} ${(seconds?.toFixed(1) ?? '').padStart(7)}  ${result}`)
}
const judge = (seconds: number) =>
  seconds < LIMIT_SECONDS ? 'ok' : `FAILED: slower than ${LIMIT_SECONDS} s (${loadavg()[0]?.toFixed(1)} processes run on this machine)`

console.log('way        seconds  result')
for (const [index, [way, { missing, prepare }]] of Object.entries(WAYS).entries()) {
  if (chosen.length > 0 && !chosen.includes(way)) continue
  const reason = missing?.()
  if (reason) {
    tell(way, null, `SKIPPED: ${reason}`)
    continue
  }
  const folder = mkdtempSync(join(tmpdir(), `lyceum-${way}-`))
  const port = 22_000 + (process.pid % 1000) * 5 + index
  try {
    const start = await prepare(folder, port)
    const began = performance.now()
    const { setupLink, stop } = await start(AbortSignal.timeout(GIVE_UP_MS))
    let seconds = 0
    try {
      const origin = `http://127.0.0.1:${port}`
      await setUp(origin, setupLink)
      const [first] = await posts(origin, 'Hello')
      if (first !== 'Hello') throw new Error('the first post is not in the list')
      seconds = (performance.now() - began) / 1000
    } finally {
      await stop()
    }
    tell(way, seconds, judge(seconds))
  } catch (error) {
    tell(way, null, `FAILED: ${error}`)
  }
  sh(`rm -rf ${folder}`, '.')
}
if (failed) process.exitCode = 1
