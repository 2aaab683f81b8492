import { SPACE_SLUG_LENGTH, SPACE_TITLE_LENGTH, SpaceGroupSettingsInput } from '@lyceum/contract'
import { statementNumber, type Value } from '../../../../server/src/db/index.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Run } from '../run.ts'
import { validSettings } from './settings.ts'
import { freeSlugs } from './slugs.ts'
import { notAfter, titleOf } from './values.ts'
import { setColumns } from './write-columns.ts'

/** Spaces and space groups share unique slugs. The reserved words are path segments below `/spaces`. */
export const SPACE_SLUGS = {
  name: 'spaces',
  tables: ['spaces', 'space_groups'],
  longest: SPACE_SLUG_LENGTH,
  reserved: new Set('all all-spaces create discover edit feeds groups joined new search space_groups users'.split(' ')),
} as const

const COLUMNS = ['title', 'description', 'settings', 'position']

interface GroupDecision extends Decision<'space_groups'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly slug: string
}

const lastPosition = statementNumber('select coalesce(max(position), 0) as n from space_groups')

const wantedSlugs = (run: Run, records: readonly { readonly id: string; readonly slug: string; readonly title: string }[]) =>
  freeSlugs(
    run,
    SPACE_SLUGS,
    records.map(({ id, slug, title }) => ({ kind: 'space_groups', id, slug, words: title, fallback: 'group', hidden: false })),
  )

export const spaceGroups: KindWriter<'space_groups', GroupDecision> = {
  kind: 'space_groups',
  guarded: { table: 'space_groups', columns: COLUMNS },
  most: 200,
  decide: async (run, items) => {
    const ids = await run.ids.take('space_groups', items.filter(({ known }) => known === undefined).length)
    const fresh = items.filter(({ known }) => known === undefined)
    const slugs = await wantedSlugs(
      run,
      fresh.map(({ record }) => record),
    )
    const last = await lastPosition(run.services.database.read)
    return items.map((item, i) => {
      const { record, known, notes } = item
      const place = fresh.indexOf(item)
      const id = known?.local_id ?? (ids[place] as number)
      run.memory.put('space_groups', record.id, { id })
      const settings = JSON.stringify(validSettings(SpaceGroupSettingsInput, record.settings, notes))
      const guarded = [
        titleOf(record.title, SPACE_TITLE_LENGTH, 'Group'),
        record.description ?? '',
        settings,
        record.position ?? last + i + 1,
      ]
      return { item, id, guarded, slug: slugs[place] ?? '' }
    })
  },
  insert: async (run, { add }, decided) => {
    await add(
      'space_groups',
      ['id', 'slug', ...COLUMNS, 'created_at', 'updated_at'],
      decided.map(({ id, slug, guarded, item: { record } }) => {
        const at = notAfter(run.now, record.created_at)
        return [id, slug, ...guarded, at, record.updated_at ?? at]
      }),
    )
  },
  update: async (_run, { db }, decided) => {
    for (const { id, guarded } of decided) await setColumns(db, 'space_groups', COLUMNS, id, guarded)
  },
}
