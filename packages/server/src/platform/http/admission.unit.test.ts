import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { exchange } from '../../../test/wire.ts'
import { createAdmission } from './admission.ts'
import { createListener } from './listener.ts'

const CONNECTIONS = 2000
const ENOUGH = 4000
/** Of this thread for each refusal, so that the clients are quicker, whatever machine this is. */
const PAUSE_MS = 0.1
const never = new Int32Array(new SharedArrayBuffer(4))

/** Clients beside this thread. Once they are all connected they ask, and again as soon as they are answered. */
const ASK_AGAIN = `
const { connect } = require('node:net')
const { workerData: { port, connections } } = require('node:worker_threads')
const ask = (socket) => socket.write('GET /feeds HTTP/1.1\\r\\nhost: load\\r\\n\\r\\n')
const all = []
for (let n = 0; n < connections; n++) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('connect', () => all.push(socket) === connections && all.forEach(ask))
  socket.on('data', () => ask(socket))
  socket.on('error', () => {})
}
`

/** A server that has as much to do as it can bear, or has not; `refused` hears of each refusal. */
const serve = async (isFull: () => boolean, refused: () => void) => {
  const letIn = (run: () => void) => {
    if (isFull()) return false
    run()
    return true
  }
  const turns = { admit: letIn, waiting: () => 0 }
  const admit = createAdmission({ turns, headers: () => ({}), refused })
  const server = createListener((request, response) => admit(request, response, () => response.end('served')))
  server.listen({ port: 0, host: '127.0.0.1', backlog: CONNECTIONS })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('clients that ask again as soon as they are refused leave the others their turns', async () => {
  let [refused, inTurn, most] = [0, 0, 0]
  let reached = () => {}
  const enough = new Promise<void>((resolve) => {
    reached = resolve
  })
  const server = await serve(
    () => true,
    () => {
      inTurn += 1
      most = Math.max(most, inTurn)
      refused += 1
      if (refused === ENOUGH) reached()
      Atomics.wait(never, 0, 0, PAUSE_MS)
    },
  )
  const turn = () => {
    inTurn = 0
    if (refused < ENOUGH) setImmediate(turn)
  }
  turn()
  const clients = new Worker(ASK_AGAIN, { eval: true, workerData: { port: server.port, connections: CONNECTIONS } })
  try {
    await enough
    expect(most).toBeLessThanOrEqual(CONNECTIONS)
  } finally {
    await clients.terminate()
    server.close()
  }
})

test('who was refused is answered as ever when he asks again, also with a body that came late', async () => {
  let full = true
  const server = await serve(
    () => full,
    () => {
      full = false
    },
  )
  try {
    const first = 'POST /feeds HTTP/1.1\r\nhost: load\r\ncontent-length: 4\r\n\r\n'
    const { answers } = await exchange(server.port, [first, 'body', 'GET /feeds HTTP/1.1\r\nhost: load\r\n\r\n'], { answers: 2 })
    expect(answers.map(({ status, body }) => (status === 200 ? body : status))).toEqual([503, 'served'])
  } finally {
    server.close()
  }
})
