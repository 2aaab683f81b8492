// Plain JavaScript for any version of Node.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FLOOR, isNewEnough } from './node-version.mjs'

/** Runs a program on the Node that npm installed, with the streams and signals of this process; prints an error if npm installed none. */
export function runOnCarriedNode(program, args) {
  const node = carriedNode()
  if (!node) return refuse()
  const child = spawn(node, [program, ...args], { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both processes by itself; a second one would cut a graceful stop short.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', refuse)
  child.once('exit', (code, signal) => {
    if (!signal) return process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** Path of the Node that npm installed for this platform as an optional package, or undefined. */
function carriedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    for (const name of [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`]) {
      const home = join(folder, 'node_modules', name)
      const path = join(home, 'bin', program)
      if (existsSync(path) && isNewEnough(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version)) return path
    }
  }
}

function refuse() {
  console.error(
    `lyceum: needs Node.js ${FLOOR} or newer, this is ${process.versions.node} (${process.execPath}): run "npm ci" in Lyceum's folder, which brings one for Linux, macOS and Windows unless optional packages are omitted, or install it from https://nodejs.org`,
  )
  process.exit(1)
}
