import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The response for a URL. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** By method and path, such as `GET /api/v2/feeds`. */
export type Answers = Readonly<Record<string, Answer>>

/** The minimal Node server for these responses: it looks up the URL and reads request bodies. */
const serve = (answers: Answers) => {
  const stored = new Map(
    Object.entries(answers).map(([key, { status, headers, body }]) => [key, { status, headers, body: Buffer.from(body) }]),
  )
  const server = createServer((request, response) => {
    const answer = stored.get(`${request.method} ${request.url}`)
    if (!answer) {
      response.writeHead(500).end()
      return
    }
    const send = () => response.writeHead(answer.status, answer.headers).end(answer.body)
    if (request.method === 'GET') send()
    else request.resume().once('end', send)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

process.once('message', (message) => serve(message as Answers))
process.once('disconnect', () => process.exit())
