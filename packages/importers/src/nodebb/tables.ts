import type { TableShape, Wanted } from '../staging/shape.ts'

/** Key patterns to copy, by object type; the first match applies. Other keys are skipped. */
const HASHES =
  /^(?:user:\d+(?::settings)?|category:\d+|(?:topic|post|flag):\d+|post:queue:.+|registration:queue:name:.+|group:[^:]+|uid:\d+:ban:\d+|config)$/
const SORTED_SETS =
  /^(?:following:\d+|uid:\d+:(?:upvote|bookmarks|bans:timestamp)|tid:\d+:posts|topic:\d+:thumbs|flag:\d+:(?:reports|notes)|cid:\d+:uid:watch:state|group:[^:]+:members|group:cid:\d+:privileges:(?:groups:)?(?:find|moderate|topics:(?:read|create|reply)):members|users:banned|topics:scheduled|post:queue|registration:queue|plugins:active)$/
const SETS = /^(?:pid:\d+:(?:upvote|users_bookmarked)|topic:\d+:tags|group:[^:]+:(?:owners|pending))$/

/** Key patterns of data that Lyceum cannot import, for the report. */
const LEFT_OUT: readonly (readonly [table: string, key: RegExp, name: string])[] = [
  ['legacy_hash', /^message:\d+$/, 'chat messages'],
  ['legacy_hash', /^diff:\d+\./, 'earlier versions of posts'],
  ['legacy_hash', /^userRemote:/, 'users of other servers'],
  ['legacy_hash', /^post:https?:/, 'posts of other servers'],
  ['legacy_set', /^pid:\d+:downvote$/, 'down votes'],
  ['legacy_set', /^group:[^:]+:invited$/, 'invitations to groups'],
  ['legacy_set', /^tid:\d+:followers$/, 'followed topics'],
  ['legacy_zset', /^uid:\d+:blocked_uids$/, 'blocked users'],
]

const TABLES: Readonly<Record<string, { name: string; shape: TableShape; keys: RegExp }>> = {
  legacy_hash: { name: 'hash', shape: { columns: { _key: 'text', data: 'text' }, key: '_key' }, keys: HASHES },
  legacy_zset: {
    name: 'zset',
    shape: { columns: { _key: 'text', value: 'text', score: 'integer' }, indexes: ['_key, value'] },
    keys: SORTED_SETS,
  },
  legacy_set: { name: 'members', shape: { columns: { _key: 'text', member: 'text' }, indexes: ['_key, member'] }, keys: SETS },
}

export const NODEBB_TABLES = Object.entries(TABLES).map(([table, { name, shape }]) => ({ table, name, shape }))

/** The tables to copy. Skipped data is counted in `leftOut`. */
export const wantedTables = (leftOut: Map<string, number>): Wanted => {
  const shapes = new Map(
    Object.entries(TABLES).map(([table, { shape, keys }]): [string, TableShape] => {
      const counted = LEFT_OUT.filter(([of]) => of === table)
      const test = (value: unknown) => {
        const key = String(value)
        if (keys.test(key)) return true
        for (const [, pattern, name] of counted) if (pattern.test(key)) leftOut.set(name, (leftOut.get(name) ?? 0) + 1)
        return false
      }
      return [table, { ...shape, keep: { column: '_key', test } }]
    }),
  )
  return (table) => shapes.get(table) ?? null
}
