import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

type Mode = 'keeps' | 'cuts'

/** A reverse proxy that shows a server below a path of its own host, and passes the path on or cuts it off. */
export const openPathProxy = async (path: string, first: Mode, target: () => string) => {
  let mode = first
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming
    const rest = url.slice(path.length)
    if (!url.startsWith(path) || !/^[/?]|^$/.test(rest)) return outgoing.writeHead(404).end('outside of the community')
    const passed = mode === 'keeps' ? url : rest.startsWith('/') ? rest : `/${rest}`
    const onward = request(new URL(target()).origin, { path: passed, method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turnTo: (other: Mode) => {
      mode = other
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
