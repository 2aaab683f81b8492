import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { exchange } from '#test/raw-socket.ts'
import { createListener } from '../node-server.ts'
import { createLoadShedding } from './request-scheduler.ts'

/** A server that is overloaded while `isFull` returns true; `refused` is called for each refused request. */
const serve = async (isFull: () => boolean, refused: () => void) => {
  const letIn = (run: () => void) => {
    if (isFull()) return false
    run()
    return true
  }
  const turns = { admit: letIn, waiting: () => 0 }
  const admit = createLoadShedding({ turns, headers: () => ({}), refused })
  const server = createListener((request, response) => admit(request, response, () => response.end('served')))
  server.listen({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('a rejected client succeeds when it retries, also with a body that arrived late', async () => {
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
