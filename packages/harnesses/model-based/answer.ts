/** The response in terms of the model: status, error code, and the relevant part of the body. */
export interface Answer {
  readonly status: number
  readonly code?: string
  readonly said?: unknown
}

export const done = (said?: unknown, status = 200): Answer => (said === undefined ? { status } : { status, said })
export const refused = (status: number, code: string): Answer => ({ status, code })

export const without = <T>(list: T[], gone: (one: T) => boolean): T[] => list.filter((one) => !gone(one))
