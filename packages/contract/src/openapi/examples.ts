import recorded from '../generated/examples.json' with { type: 'json' }

type Values = { readonly [name: string]: unknown }

/** One call of an operation as it really happened, secrets masked. */
export interface Example {
  /** Told apart by this where an operation has several. */
  readonly label?: string
  readonly params?: Values
  readonly query?: Values
  readonly body?: Values
  readonly status: number
  readonly response: unknown
}

export type Examples = { readonly [operationId: string]: readonly Example[] }

export const examples: Examples = recorded as unknown as Examples
