import { Agent, request } from 'node:http'
import type { RawAnswer } from './world.ts'

const agent = new Agent({ keepAlive: true })

/** A cheap GET for tests with thousands of requests: `fetch` costs more than the server, and compresses responses. */
export const rawGet = (url: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers: told, headersDistinct } = response
        const lines = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        )
        const isJson = /json/.test(told['content-type'] ?? '')
        resolve({ status, headers: new Headers(lines), text, body: isJson && text ? JSON.parse(text) : undefined })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
