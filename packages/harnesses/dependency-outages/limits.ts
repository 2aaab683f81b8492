import { randomUUID } from 'node:crypto'
import { callerOf } from './caller.ts'
import type { Server } from './stage.ts'

/** Failed attempts per minute for an account and for an address. */
export const MOST_TRIES = 10

/** A password guesser with an IP address of their own. */
export interface Guesser {
  /** Attempts at an instance; returns the statuses. */
  guess(server: Pick<Server, 'base'>, times: number): Promise<number[]>
}

let guessers = 0

export const createGuesser = (): Guesser => {
  guessers += 1
  const login = `nobody-${randomUUID().slice(0, 8)}`
  const authorization = `Basic ${Buffer.from(`${login}:Abcd Efgh Ijkl Mnop Qrst Uvwx`).toString('base64')}`
  const address = `198.51.${100 + (guessers >> 8)}.${guessers & 255}`
  return {
    guess: async ({ base }, times) => {
      const caller = callerOf(base, { authorization, 'x-forwarded-for': address })
      const statuses: number[] = []
      for (let i = 0; i < times; i++) statuses.push((await caller.call('GET', '/feeds')).status)
      caller.close()
      return statuses
    },
  }
}

/** Number of attempts that were not rate-limited. */
export const taken = (statuses: readonly number[]): number => statuses.filter((status) => status === 401).length

/** Whether instances share counters: attempts left at the second instance after those at the first. */
export const countTogether = async (first: Server, second: Server): Promise<boolean> => {
  const guesser = createGuesser()
  const statuses = [...(await guesser.guess(first, MOST_TRIES - 2)), ...(await guesser.guess(second, MOST_TRIES - 2))]
  return taken(statuses) === MOST_TRIES
}
