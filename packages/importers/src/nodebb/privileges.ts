import type { Staging } from '../staging/staging.ts'

/** Pseudo groups of visitors without an account. */
const VISITORS = new Set(['guests', 'spiders', 'fediverse'])

/** The holders of a privilege in a category. */
export interface Holders {
  /** Whether all members have it. */
  readonly everyone: boolean
  /** Names of groups with accounts. */
  readonly groups: readonly string[]
  readonly uids: readonly string[]
}

export type Privilege = 'find' | 'moderate' | 'topics:read' | 'topics:create' | 'topics:reply'

const membersOf = (staging: Staging, group: string): string[] =>
  [...staging.rows<{ value: string }>('select value from zset where _key = ? order by value', `group:${group}:members`)].map(
    ({ value }) => value,
  )

/** The holders of a privilege. Privileges of guests count for all members, who can use them by signing out. */
export const holdersOf = (staging: Staging, cid: number, privilege: Privilege): Holders => {
  const names = membersOf(staging, `cid:${cid}:privileges:groups:${privilege}`)
  return {
    everyone: names.includes('registered-users') || names.includes('guests'),
    groups: names.filter((name) => !VISITORS.has(name) && name !== 'registered-users'),
    uids: membersOf(staging, `cid:${cid}:privileges:${privilege}`),
  }
}
