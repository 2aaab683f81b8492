import { TOPIC_DESCRIPTION_BYTES, TOPIC_ICON_LENGTH, TOPIC_SLUG_LENGTH, TOPIC_TITLE_LENGTH } from '@lyceum/contract'
import { runText, type Value } from '../../../../server/src/db/index.ts'
import { nextPosition } from '../../../../server/src/modules/topics/queries.ts'
import type { Item } from '../batches.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Slice } from '../slice.ts'
import { freeSlugs } from './slugs.ts'
import { cutBytes, flag, notAfter, titleOf, urlOf } from './values.ts'
import { setColumns } from './write-columns.ts'

const COLUMNS = ['title', 'description', 'color', 'icon', 'admin_only', 'status', 'position', 'is_global', 'parent_id']
const SLUGS = { name: 'topics', tables: ['topics'], longest: TOPIC_SLUG_LENGTH, reserved: new Set(['config']) } as const

interface TopicDecision extends Decision<'topics'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly slug: string
  readonly spaces: readonly number[]
}

/** A CSS class, a character, or the URL of an image. */
const iconOf = (icon = ''): string => {
  const text = [...icon.trim()].slice(0, TOPIC_ICON_LENGTH).join('')
  return /^\s*[a-z][a-z0-9+.-]*:|[<>"]/i.test(text) ? urlOf(text) : text
}

const COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/

const saveSpaces = async ({ db, add }: Slice, decided: readonly TopicDecision[], isNew: boolean) => {
  if (!isNew) for (const { id } of decided) await runText(db, 'delete from topic_spaces where topic_id = $1', [id])
  await add(
    'topic_spaces',
    ['topic_id', 'space_id'],
    decided.flatMap(({ id, spaces }) => spaces.map((space) => [id, space])),
  )
}

export const topics: KindWriter<'topics', TopicDecision> = {
  kind: 'topics',
  guarded: { table: 'topics', columns: COLUMNS },
  most: 500,
  decide: async (run, items, settle) => {
    const spaces = await run.find(
      'spaces',
      items.flatMap(({ record }) => record.spaces ?? []),
    )
    const offered = items.flatMap((item): { readonly item: Item<'topics'>; readonly spaces: readonly number[] | null }[] => {
      const { record } = item
      if (!record.spaces) return [{ item, spaces: null }]
      const known = [...new Set(record.spaces.flatMap((id) => spaces.get(id)?.id ?? []))]
      if (known.length > 0 || record.spaces.length === 0) return [{ item, spaces: known }]
      settle(item, 'skipped', 'none of its spaces was imported')
      return []
    })
    const fresh = offered.filter(({ item }) => item.known === undefined)
    const ids = await run.ids.take('topics', fresh.length)
    const slugs = await freeSlugs(
      run,
      SLUGS,
      fresh.map(({ item: { record }, spaces: within }) => {
        const hidden = within !== null && within.length > 0 && (record.spaces ?? []).every((id) => spaces.get(id)?.privacy === 'secret')
        return { kind: 'topics', id: record.id, slug: record.slug, words: record.title, fallback: 'topic', hidden }
      }),
    )
    // Parents in the same batch can be referenced, because their ids are known.
    for (const [i, { item }] of fresh.entries()) run.memory.put('topics', item.record.id, { id: ids[i] as number, parent_id: null })
    const parents = await run.find(
      'topics',
      offered.map(({ item }) => item.record.parent),
    )
    const parentIds = new Map(items.map(({ record }) => [record.id, record.parent]))
    const next = await nextPosition(run.services.database.read, [])
    return offered.map(({ item, spaces: within }, i) => {
      const { record, known, notes } = item
      const place = fresh.findIndex((one) => one.item === item)
      const parent = record.parent ? parents.get(record.parent) : undefined
      // Topics have two levels.
      const isDeep = parent !== undefined && (parent.parent_id !== null || Boolean(parentIds.get(record.parent ?? '')))
      if (record.parent && (!parent || isDeep)) notes.push('its parent topic was dropped: it was not imported, or has a parent itself')
      const parentId = isDeep || parent?.id === known?.local_id ? null : (parent?.id ?? null)
      const color = (record.color ?? '').trim().toLowerCase()
      const guarded = [
        titleOf(record.title, TOPIC_TITLE_LENGTH, record.slug || 'Topic'),
        cutBytes(record.description ?? '', TOPIC_DESCRIPTION_BYTES),
        COLOR.test(color) ? color : '',
        iconOf(record.icon),
        flag(record.admin_only),
        record.status ?? 'active',
        record.position ?? next + i,
        flag(within === null),
        parentId,
      ]
      const id = known?.local_id ?? (ids[place] as number)
      run.memory.put('topics', record.id, { id, parent_id: parentId })
      return { item, id, guarded, slug: slugs[place] ?? '', spaces: within ?? [] }
    })
  },
  insert: async (run, slice, decided) => {
    await slice.add(
      'topics',
      ['id', 'slug', ...COLUMNS, 'created_at', 'updated_at'],
      decided
        // A parent precedes its children.
        .toSorted((a, b) => Number(a.guarded.at(-1) !== null) - Number(b.guarded.at(-1) !== null))
        .map(({ id, slug, guarded, item: { record } }) => {
          const at = notAfter(run.now, record.created_at)
          return [id, slug, ...guarded, at, record.updated_at ?? at]
        }),
    )
    await saveSpaces(slice, decided, true)
    for (const { id, item } of decided) slice.redirect('topics', id, item.record.urls)
  },
  update: async (_run, slice, decided) => {
    for (const { id, guarded } of decided) await setColumns(slice.db, 'topics', COLUMNS, id, guarded)
    await saveSpaces(slice, decided, false)
  },
}
