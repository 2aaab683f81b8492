import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { runServe } from '../../server/src/cli/serve.ts'
import { processTerminal } from '../../server/src/cli/terminal.ts'

/** Requests with a longer body are large uploads. */
const LARGE = 2 ** 20
const BLOCKED_MS = 400

const never = new Int32Array(new SharedArrayBuffer(4))

/** The server as the command line runs it, except that each large upload blocks its main thread. */
subscribe('http.server.request.start', (message) => {
  const { headers } = (message as { readonly request: IncomingMessage }).request
  if (Number(headers['content-length']) > LARGE) Atomics.wait(never, 0, 0, BLOCKED_MS)
})
process.exitCode = (await runServe(processTerminal)) ?? 0
