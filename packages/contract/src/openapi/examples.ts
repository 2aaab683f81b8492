import recorded from '../generated/examples.json' with { type: 'json' }

type Values = { readonly [name: string]: unknown }

/** A recorded call of an operation, with secrets masked. */
export interface Example {
  /** Distinguishes several examples of an operation. */
  readonly label?: string
  readonly params?: Values
  readonly query?: Values
  readonly body?: Values
  readonly status: number
  readonly response: unknown
}

export type Examples = { readonly [operationId: string]: readonly Example[] }

export const examples: Examples = recorded as unknown as Examples
