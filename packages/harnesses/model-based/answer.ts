/** What the caller is told, in the words of the model: status, code of a refusal, and what matters of the body. */
export interface Answer {
  readonly status: number
  readonly code?: string
  readonly said?: unknown
}

export const done = (said?: unknown, status = 200): Answer => (said === undefined ? { status } : { status, said })
export const refused = (status: number, code: string): Answer => ({ status, code })

/** Those that hold no longer are left out. */
export const without = <T>(list: T[], gone: (one: T) => boolean): T[] => list.filter((one) => !gone(one))
