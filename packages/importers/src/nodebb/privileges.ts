import type { Staging } from '../staging/staging.ts'

/** Groups that stand for visitors without an account. */
const VISITORS = new Set(['guests', 'spiders', 'fediverse'])

/** Who has a privilege in a category. */
export interface Holders {
  /** All members, or everyone. */
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

/** What visitors can do, members can do by signing out; what nobody was granted, nobody can do. */
export const holdersOf = (staging: Staging, cid: number, privilege: Privilege): Holders => {
  const names = membersOf(staging, `cid:${cid}:privileges:groups:${privilege}`)
  return {
    everyone: names.includes('registered-users') || names.includes('guests'),
    groups: names.filter((name) => !VISITORS.has(name) && name !== 'registered-users'),
    uids: membersOf(staging, `cid:${cid}:privileges:${privilege}`),
  }
}
