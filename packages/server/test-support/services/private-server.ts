import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Service = { url: string; stop(): Promise<void> }

type Options = {
  command: string[]
  /** Removed once the server has ended. */
  folder: string
  stopSignal: string
  /** The line of output that reports readiness. */
  ready: RegExp
  uid?: number
  gid?: number
}

/**
 * Cleans up when the test run ends in any way: then the pipe that `cat` reads is closed. The shell has its own process group, so Ctrl-C
 * does not reach it.
 */
const KEEPER = `
folder=$1 signal=$2; shift 2
"$@" 2>&1 & server=$!
exec >/dev/null
cat
kill -s "$signal" "$server"; wait "$server"; rm -rf "$folder"`

/** Starts a server, waits until it is ready, and returns a function that stops and removes it. */
export async function startPrivateServer({ command, folder, stopSignal, ready, uid, gid }: Options): Promise<() => Promise<void>> {
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'sh', folder, stopSignal, ...command], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    uid,
    gid,
  })
  const ended = once(keeper, 'exit')
  const stop = async () => {
    keeper.stdin.end()
    await ended
  }
  const seen: string[] = []
  for await (const line of createInterface(keeper.stdout)) {
    if (ready.test(line)) {
      keeper.stdout.resume()
      return stop
    }
    seen.push(line)
  }
  await stop()
  throw new Error(`${command[0]} did not start:\n${seen.join('\n')}`)
}

/** A new folder that is removed when this process ends, in the same way. */
export function folderForThisRun(name: string): string {
  const folder = scratchFolder(name)
  const keeper = spawn('/bin/sh', ['-c', 'cat; rm -rf "$1"', 'sh', folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  keeper.unref()
  ;(keeper.stdin as Socket).unref()
  return folder
}

const GIGABYTE = 2 ** 30

/** A new temporary folder, in memory if there is room. */
export function scratchFolder(name: string): string {
  const inMemory = '/dev/shm'
  return mkdtempSync(join(hasRoom(inMemory) ? inMemory : tmpdir(), `lyceum-test-${name}-`))
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > GIGABYTE
  } catch {
    return false
  }
}
