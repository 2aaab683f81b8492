import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createSemaphore } from '../util/semaphore.ts'
import { createWorkerThread } from '../util/worker-thread.ts'
import { parseForeign } from './foreign-password.ts'
import { MAX_PASSWORD_LENGTH } from './password-policy.ts'

const SALT = 16
const HASH = 32
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{22,86})$/

/** Foreign hashes that take longer than this can be told from others by the time. */
const MAX_FOREIGN_MS = 1000

interface Cost {
  /** log2 of N; memory is 128 · N · r bytes. */
  readonly logN: number
  readonly r: number
  readonly p: number
}

interface Stored extends Cost {
  readonly salt: Buffer
  readonly hash: Buffer
}

interface Options {
  /** log2 of the cost N, 15 by default: 32 MiB and about 0.15 s of one core; tests use less. */
  logN?: number
  /** Maximum number of concurrent hashes; the rest of the thread pool stays free. */
  concurrent?: number
  /** Maximum number of waiting hashes; further ones fail with a BusyError. */
  waiting?: number
  /** Maximum number of waiting registrations, which must not delay sign-ins. */
  waitingRegistrations?: number
}

const work = ({ logN, r, p }: Cost) => 2 ** logN * r * p

const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const format = ({ logN, r, p, salt, hash }: Stored) => `$scrypt$ln=${logN},r=${r},p=${p}$${text(salt)}$${text(hash)}`

const parse = (stored: string): Stored | null => {
  const found = STORED.exec(stored)
  if (!found) return null
  const [logN, r, p] = [Number(found[1]), Number(found[2]), Number(found[3])]
  if (logN < 1 || logN > 20 || r < 1 || r > 32 || p < 1 || p > 16) return null
  return { logN, r, p, salt: Buffer.from(found[4]!, 'base64'), hash: Buffer.from(found[5]!, 'base64') }
}

const derive = (password: string, salt: Buffer, length: number, { logN, r, p }: Cost): Promise<Buffer> => {
  const N = 2 ** logN
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
  return new Promise((resolve, reject) => {
    // Different systems may type the same password with different code points; NFKC unifies them.
    scrypt(password.normalize('NFKC'), salt, length, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

/**
 * Hashes and verifies account passwords with scrypt, with bounded concurrency. The stored form contains its parameters, so that they can be
 * raised: `$scrypt$ln=15,r=8,p=3$salt$hash`.
 */
export const createAccountPasswords = ({ logN = 15, concurrent = 2, waiting = 64, waitingRegistrations = 32 }: Options = {}) => {
  const cost: Cost = { logN, r: 8, p: 3 }
  const semaphore = createSemaphore<'sign-in' | 'registration'>({
    concurrent,
    waitingPerKey: waiting,
    // If there are several slots, registrations leave one free.
    deferrable: { key: 'registration', perKey: Math.max(1, concurrent - 1), waitingPerKey: waitingRegistrations },
  })
  const nobody: Stored = { ...cost, salt: randomBytes(SALT), hash: randomBytes(HASH) }
  const foreign = createWorkerThread<{ password: string; stored: string }, boolean>(
    new URL('./foreign-password-worker.ts', import.meta.url),
  )
  /** Time of the slowest check of a foreign hash so far. */
  let slowest = 0

  const matchesForeign = async (password: string, stored: string): Promise<boolean> => {
    const start = performance.now()
    const matches = await foreign({ password, stored })
    slowest = Math.max(slowest, Math.min(MAX_FOREIGN_MS, performance.now() - start))
    return matches
  }

  return {
    slots: () => ({ used: semaphore.running(), waiting: semaphore.waiting() }),

    /** Deferrable: sign-ins go first. @throws BusyError if too many wait */
    async hashPassword(password: string, { deferrable = false } = {}): Promise<string> {
      const salt = randomBytes(SALT)
      const hash = await semaphore.run(deferrable ? 'registration' : 'sign-in', () => derive(password, salt, HASH, cost))
      return format({ ...cost, salt, hash })
    },

    /**
     * Verifies a password, also against a hash that an import brought from another platform. Null for `stored` stands for an account that
     * does not exist or has no password: false, after the same time.
     * @throws BusyError if too many wait
     */
    async verifyPassword(password: string, stored: string | null): Promise<boolean> {
      const usable = password.length > MAX_PASSWORD_LENGTH ? null : stored
      const parsed = usable === null ? null : parse(usable)
      const isForeign = usable !== null && parsed === null && parseForeign(usable) !== null
      const { salt, hash, ...parameters } = parsed ?? nobody
      const short = password.slice(0, MAX_PASSWORD_LENGTH)
      return semaphore.run('sign-in', async () => {
        const start = performance.now()
        const [derived, matches] = await Promise.all([
          derive(short, salt, hash.length, parameters),
          isForeign ? matchesForeign(short, usable) : false,
        ])
        // Otherwise the time would reveal whose hash is foreign.
        const left = slowest - (performance.now() - start)
        if (left > 0) await pause(left)
        return matches || (timingSafeEqual(derived, hash) && parsed !== null)
      })
    },

    /** Whether a stored hash is weaker than the current parameters; rehash it at the next sign-in. */
    needsRehash(stored: string): boolean {
      const parsed = parse(stored)
      return parsed === null || work(parsed) < work(cost)
    },
  }
}

export type AccountPasswords = ReturnType<typeof createAccountPasswords>
