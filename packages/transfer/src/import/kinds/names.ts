import { slugify } from '@lyceum/content'
import { ApiError } from '../../../../server/src/core/errors.ts'
import { batchStatement } from '../../../../server/src/db/index.ts'
import { isReserved } from '../../../../server/src/modules/accounts/former-names.ts'
import { newUsername } from '../../../../server/src/modules/accounts/validation.ts'
import type { Run } from '../run.ts'

const LONGEST = 30

const taken = batchStatement<{ name: string }>(
  { name: 'text' },
  (rows) => `select u.username as name from ${rows} d cross join users u where u.username = d.name
    union select a.alias as name from ${rows} d cross join username_aliases a where a.alias = d.name`,
)

/** A requested username. */
export interface Wanted {
  readonly username: string
  readonly displayName: string
  /** Whether they may have an official name such as `admin`. */
  readonly isOfficial: boolean
}

const isValid = (name: string, isOfficial: boolean): boolean => {
  try {
    return newUsername(name, isOfficial) === name
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** The name itself if its characters are allowed, otherwise a similar valid one. */
const baseOf = ({ username, displayName }: Wanted): string => {
  const lower = username.trim().toLowerCase()
  if (/^[a-z0-9_-]{1,30}$/.test(lower)) return lower
  return slugify(lower, LONGEST) || slugify(displayName, LONGEST) || 'member'
}

const numbered = (base: string, number: number): string =>
  number === 1 ? base : `${base.slice(0, LONGEST - 1 - String(number).length)}-${number}`

/** An unused username for each requested one: the name itself, or one with a number appended. */
export const freeUsernames = async (run: Run, wanted: readonly Wanted[]): Promise<string[]> => {
  const { database } = run.services
  const bases = wanted.map(baseOf)
  const found: (string | undefined)[] = wanted.map(() => undefined)
  let open = wanted.map((_, i) => i)
  for (let number = 1; open.length > 0; number++) {
    const names = new Map(open.map((i) => [i, numbered(bases[i] as string, number)]))
    const all = [...new Set(names.values())]
    const used = new Set((await taken(database.read, all)).map(({ name }) => name))
    const claimed = await run.memory.taken(all.map((name) => `username:${name}`))
    const left: number[] = []
    for (const [i, name] of names) {
      const isFree =
        isValid(name, (wanted[i] as Wanted).isOfficial) &&
        !used.has(name) &&
        !claimed.has(`username:${name}`) &&
        !(await isReserved({ db: database.read, now: run.now, services: run.services }, name, null))
      if (isFree) {
        found[i] = name
        claimed.add(`username:${name}`)
        run.memory.take(`username:${name}`)
      } else left.push(i)
    }
    open = left
  }
  return found as string[]
}
