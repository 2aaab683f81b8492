/** The response in terms of the model: status, error code, and the relevant part of the body. */
export interface Answer {
  readonly status: number
  readonly code?: string
  readonly body?: unknown
}

export const done = (body?: unknown, status = 200): Answer => (body === undefined ? { status } : { status, body })
export const refused = (status: number, code: string): Answer => ({ status, code })

export const without = <T>(list: T[], gone: (one: T) => boolean): T[] => list.filter((one) => !gone(one))
