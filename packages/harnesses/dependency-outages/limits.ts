import { randomUUID } from 'node:crypto'
import { callerOf } from './caller.ts'
import type { Server } from './stage.ts'

/** Failed tries that an account, and an address, has in a minute. */
export const MOST_TRIES = 10

/** One who guesses the password of an account from an address of his own. */
export interface Guesser {
  /** Tries so often at that instance; the statuses. */
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

/** How many tries were not refused as too many. */
export const taken = (statuses: readonly number[]): number => statuses.filter((status) => status === 401).length

/** Whether the instances count together: what is left at the second of the tries of the first. */
export const countTogether = async (first: Server, second: Server): Promise<boolean> => {
  const guesser = createGuesser()
  const statuses = [...(await guesser.guess(first, MOST_TRIES - 2)), ...(await guesser.guess(second, MOST_TRIES - 2))]
  return taken(statuses) === MOST_TRIES
}
