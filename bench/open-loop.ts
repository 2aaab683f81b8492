import { Agent, request as send } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Load, Request, Tool } from './load.ts'
import { loadResultOf, shareOf, written } from './load.ts'

const once = (agent: Agent, origin: string, { method, path, headers, body }: Request): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = send(new URL(path, origin), { agent, method, headers }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', reject)
      answer.resume()
    })
    sent.on('error', reject).end(body)
  })

/** Sends requests at a constant rate over all connections, independent of the response times. */
export const openLoop =
  (perSecond: number): Tool =>
  async ({ origin, requests, connections, seconds }: Load) => {
    const start = performance.now()
    const every = (connections * 1000) / perSecond
    const times: number[] = []
    const connection = async (number: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const list = shareOf(requests, number, connections, 0)
      try {
        for (let turn = 0; ; turn++) {
          const due = start + (turn + number / connections) * every
          if (due > start + seconds * 1000) return
          await wait(Math.max(0, due - performance.now()))
          const began = performance.now()
          const request = list[turn % list.length]
          const status = request && (await once(agent, origin, written(request)))
          if (!status || status >= 300) throw new Error(`a request to ${origin} returned ${status}`)
          times.push(performance.now() - began)
        }
      } finally {
        agent.destroy()
      }
    }
    await Promise.all(Array.from({ length: connections }, (_, number) => connection(number)))
    return loadResultOf(times, performance.now() - start)
  }
