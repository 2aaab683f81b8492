import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newUser, setupLinkOf, sh } from './commands.ts'
import { blocksOf, sectionOf } from './guide.ts'

const PACKAGES = 'systemd,systemd-sysv,dbus,ca-certificates,libstdc++6,netbase'

export const missingForSystemd = (): string | undefined => {
  for (const [program, of] of [
    ['systemd-nspawn', 'systemd-container'],
    ['mmdebstrap', 'mmdebstrap'],
  ] as const)
    if (!existsSync(`/usr/bin/${program}`)) return `${of} is not installed`
  return undefined
}

/** Boots a Debian with systemd as process 1 in `folder`, follows the recipe of the guide there, and starts the service. */
export const startSystemd = async (folder: string, kept: string, port: number) => {
  const base = join(kept, 'systemd-base.tar')
  if (!existsSync(base)) sh(`mmdebstrap --quiet --variant=minbase --include=${PACKAGES} bookworm ${base}`, folder)
  const machine = join(folder, 'machine')
  mkdirSync(machine)
  const env = newUser(folder)
  sh(`tar -xf ${base} -C ${machine}`, folder)
  copyFileSync(sh('readlink -f "$(command -v node)"', folder, env).trim(), join(machine, 'usr/bin/node'))

  const nspawn = spawn('systemd-nspawn', ['-q', '--register=no', '--keep-unit', '--console=pipe', '--boot', '-D', machine], {
    stdio: 'ignore',
  })
  const ended = once(nspawn, 'exit')
  const leader = () => sh(`pgrep -P ${nspawn.pid}`, folder).trim()
  const inside = (script: string) =>
    sh(`nsenter --all --target ${leader()} -- bash -euc "$SCRIPT"`, folder, { PATH: process.env['PATH'], SCRIPT: script })
  for (let tries = 0; ; tries++) {
    try {
      inside('systemctl is-active --quiet multi-user.target')
      break
    } catch (error) {
      if (tries === 60) throw error
      await new Promise((done) => setTimeout(done, 500))
    }
  }
  const off = async () => {
    nspawn.kill('SIGTERM')
    await ended
    rmSync(machine, { recursive: true, force: true })
  }

  const title = 'Run as a systemd service'
  const [addUser = '', variables = '', unit = ''] = blocksOf('installation.md', title)
  const install = /with `(npm ci [^`]+)`/.exec(sectionOf('installation.md', title))?.[1] ?? 'false'
  const enable = /Then `(systemctl [^`]+)`/.exec(sectionOf('installation.md', title))?.[1] ?? 'false'
  return async (isLate: AbortSignal) => {
    try {
      sh(`git clone --quiet --depth 1 file://${process.cwd()} ${machine}/opt/lyceum; cd ${machine}/opt/lyceum; ${install}`, folder, env)
      inside(addUser)
      writeFileSync(join(machine, 'etc/lyceum.env'), `${variables}LYCEUM_PORT=${port}\n`)
      writeFileSync(join(machine, 'etc/systemd/system/lyceum.service'), unit)
      inside(enable)
      const setupLink = await setupLinkOf(() => inside('journalctl --no-pager -o cat -u lyceum'), isLate)
      console.log(inside('systemd-analyze security lyceum --no-pager | tail -1').trim())
      console.log(inside('grep -E "^(Uid|NoNewPrivs|Seccomp|CapBnd):" /proc/$(systemctl show -p MainPID --value lyceum)/status').trim())
      const stop = async () => {
        const result = inside('systemctl stop lyceum; systemctl show -p Result --value lyceum').trim()
        await off()
        if (result !== 'success') throw new Error(`the service ended with ${result}`)
      }
      return { setupLink, stop }
    } catch (error) {
      await off()
      throw error
    }
  }
}
