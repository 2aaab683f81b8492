import type { StreamOptions, WithId } from './stream.ts'
import type { Answer, CallOptions } from './transport.ts'

export interface ClientOptions {
  /** The API root, such as `https://community.example/api/v2`. */
  readonly baseUrl: string
  /** Username (or email address). */
  readonly username?: string
  /** Application password. */
  readonly password?: string
  /** Returns the nonce of the browser session. Called for each request. */
  readonly nonce?: () => string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
}

type Arguments<I> = Record<never, never> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions]

/** A method with the input `I` and the response body `O`. */
export type Call<I, O> = ((...args: Arguments<I>) => Promise<O>) & {
  /** Resolves with status, headers and body. */
  readonly answer: (...args: Arguments<I>) => Promise<Answer<O>>
}

/** `for await (const { event, data } of client.stream.listen()) …` */
export type Listen<I, E> = (input?: I, options?: StreamOptions) => AsyncGenerator<WithId<E>>
