import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'
import { openBuddypress } from '../src/buddypress/open.ts'
import { recordProblem } from '../src/check-record.ts'
import type { Source, Unreadable } from '../src/source.ts'
import { packTar } from './pack-tar.ts'

export type Row = Readonly<Record<string, string | number | null>>
/** Rows by table, without prefix. */
export type Tables = Readonly<Record<string, readonly Row[]>>

const literal = (value: string | number | null): string =>
  value === null
    ? 'NULL'
    : typeof value === 'number'
      ? String(value)
      : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

/** A dump with these rows. The columns of a table are those of its rows. */
export const dumpOf = (tables: Tables, prefix = 'wp_'): string =>
  Object.entries(tables)
    .map(([table, rows]) => {
      const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
      const name = `\`${prefix}${table}\``
      const lines = rows.map((row) => `(${columns.map((column) => literal(row[column] ?? null)).join(',')})`)
      const insert = lines.length > 0 ? `INSERT INTO ${name} VALUES\n${lines.join(',\n')};\n` : ''
      return `CREATE TABLE ${name} (\n${columns.map((column) => `  \`${column}\` text`).join(',\n')}\n) ENGINE=InnoDB;\n${insert}`
    })
    .join('\n')

export const user = (ID: number, name: string, more: Row = {}): Row => ({
  ID,
  user_login: name,
  user_pass: '',
  user_nicename: name.toLowerCase(),
  user_email: `person${ID}@mail.example`,
  user_url: '',
  user_registered: `2020-01-${String(ID).padStart(2, '0')} 08:00:00`,
  user_status: 0,
  display_name: name,
  ...more,
})

export const activity = (id: number, more: Row = {}): Row => ({
  id,
  user_id: 1,
  component: 'activity',
  type: 'activity_update',
  content: `Text ${id}`,
  item_id: 0,
  secondary_item_id: 0,
  date_recorded: `2021-01-01 00:00:${String(id % 60).padStart(2, '0')}`,
  hide_sitewide: 0,
  is_spam: 0,
  ...more,
})

export const comment = (id: number, post: number, parent: number, more: Row = {}): Row =>
  activity(id, { type: 'activity_comment', item_id: post, secondary_item_id: parent, ...more })

export const group = (id: number, slug: string, more: Row = {}): Row => ({
  id,
  creator_id: 1,
  name: slug,
  slug,
  description: '',
  status: 'public',
  parent_id: 0,
  date_created: '2020-06-01 08:00:00',
  ...more,
})

const OPTIONS: readonly Row[] = [
  { option_id: 1, option_name: 'siteurl', option_value: 'https://old.example' },
  { option_id: 2, option_name: 'home', option_value: 'https://old.example' },
  { option_id: 3, option_name: 'timezone_string', option_value: 'America/New_York' },
]

export interface Opened {
  readonly source: Source
  readonly records: <K extends ArchiveKind>(kind: K) => Promise<ArchiveRecord<K>[]>
  readonly unreadable: (kind: ArchiveKind) => Promise<Unreadable[]>
}

interface TestSite {
  readonly tables: Tables
  readonly prefix?: string
  /** Contents by path below the uploads. */
  readonly uploads?: Readonly<Record<string, string>>
}

/** Opens a community with these tables, two people and an empty table of activities unless they are given, and closes it afterwards. */
export const withSite = async <Result>(
  { tables, prefix, uploads = {} }: TestSite,
  use: (site: Opened) => Promise<Result>,
): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'buddypress-test-'))
  try {
    const file = join(folder, 'dump.sql')
    writeFileSync(
      file,
      dumpOf({ options: OPTIONS, users: [user(1, 'Ana'), user(2, 'Ben')], bp_activity: [activity(1)], ...tables }, prefix),
    )
    const archive = join(folder, 'uploads.tar')
    writeFileSync(archive, packTar(Object.entries(uploads).map(([path, body]) => ({ name: `uploads/${path}`, body }))))
    const source = await openBuddypress(file, { uploads: archive, temporary: folder })
    try {
      const entriesOf = async <K extends ArchiveKind>(kind: K) => Array.fromAsync(source.read(kind))
      return await use({
        source,
        records: async (kind) => {
          const records = (await entriesOf(kind)).flatMap((entry) => ('unreadable' in entry ? [] : [entry]))
          for (const record of records) {
            const problem = recordProblem(kind, record)
            if (problem) throw new Error(`${kind} ${record.id}: ${problem}`)
          }
          return records
        },
        unreadable: async (kind) => (await entriesOf(kind)).flatMap((entry) => ('unreadable' in entry ? [entry.unreadable] : [])),
      })
    } finally {
      await source.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
