import type { Readable } from 'node:stream'
import type { Agent } from 'undici'
import { lazyRequire } from '../util/lazy.ts'
import { readBody } from './body.ts'
import { OutboundError } from './error.ts'

interface DirectRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'HEAD'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable
  /** Timeout until the response begins, in milliseconds; that of the client by default. */
  readonly timeoutMs?: number
}

export interface DirectAnswer {
  readonly status: number
  /** Must be read to its end, or destroyed. */
  readonly body: Readable
  /** The whole body as text, for short responses: it must end in time and be small. @throws OutboundError */
  text(): Promise<string>
}

/** A client for servers that the operator chose. Their addresses are not checked, and bodies are streams. */
interface DirectClient {
  /** @throws OutboundError */
  request(url: string, options: DirectRequest): Promise<DirectAnswer>
  close(): Promise<void>
}

/** A list of a thousand file names has some hundred kilobytes. */
const MOST_TEXT = 8 * 1024 * 1024

const failed = (error: unknown): never => {
  const timeout = String((error as { code?: unknown } | null)?.code).includes('TIMEOUT') || (error as Error).name === 'TimeoutError'
  throw new OutboundError(timeout ? 'timeout' : 'unreachable', 'The server gave no answer.', { cause: error })
}

const undici = lazyRequire<typeof import('undici')>('undici')

/** `patience` is the timeout for a connection, a response or its next bytes, in milliseconds. */
export const createDirectClient = ({ patience }: { readonly patience: number }): DirectClient => {
  let agent: Agent | undefined
  const agentOf = (): Agent => {
    agent ??= new (undici().Agent)({ connect: { timeout: patience }, headersTimeout: patience, bodyTimeout: patience, connections: 32 })
    return agent
  }
  return {
    request: async (url, { method, headers, body, timeoutMs = patience }) => {
      const answer = await undici()
        .request(url, {
          dispatcher: agentOf(),
          method,
          headers,
          headersTimeout: timeoutMs,
          ...(body && { body, signal: AbortSignal.timeout(timeoutMs) }),
        })
        .catch(failed)
      const text = async () => {
        const signal = AbortSignal.timeout(timeoutMs)
        return (await readBody(answer.body, '', { most: MOST_TEXT, cut: false, signal }).catch(failed)).toString('utf8')
      }
      return { status: answer.statusCode, body: answer.body, text }
    },
    close: async () => {
      await agent?.destroy()
    },
  }
}
