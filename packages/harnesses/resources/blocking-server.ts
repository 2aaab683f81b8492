import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { runServe } from '../../server/src/cli/serve.ts'
import { processTerminal } from '../../server/src/cli/terminal.ts'

const BLOCKED_MS = 150

const never = new Int32Array(new SharedArrayBuffer(4))

/** The server as the command line runs it, except that each search blocks its main thread. */
subscribe('http.server.request.start', (message) => {
  const { url = '' } = (message as { readonly request: IncomingMessage }).request
  if (url.includes('search=')) Atomics.wait(never, 0, 0, BLOCKED_MS)
})
process.exitCode = (await runServe(processTerminal)) ?? 0
