import { api, SPACE_DESCRIPTION_BYTES, SPACE_TITLE_LENGTH, SpaceSettingsInput } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { conforms } from '@lyceum/importers/check-record'
import { statementNumber, type Value } from '../../../../server/src/db/index.ts'
import { mergeLockscreen } from '../../../../server/src/modules/spaces/lockscreen.ts'
import { mergeSettings, withMetaSettings } from '../../../../server/src/modules/spaces/settings.ts'
import type { Item } from '../batches.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Run } from '../run.ts'
import type { Target } from '../texts/find-addresses.ts'
import { attachFiles, claimFiles, type FileUse, pictureUrl, withOwnFiles } from './files.ts'
import { validSettings } from './settings.ts'
import { freeSlugs } from './slugs.ts'
import { SPACE_SLUGS } from './space-groups.ts'
import { accepted, cutBytes, notAfter, titleOf, urlOf } from './values.ts'
import { setColumns } from './write-columns.ts'

type Space = ArchiveRecord<'spaces'>
type Settings = Parameters<typeof mergeSettings>[1]
type Lockscreen = Parameters<typeof mergeLockscreen>[1]

const COLUMNS = [
  ...['title', 'description', 'type', 'privacy', 'status', 'settings', 'lockscreen', 'logo', 'cover_photo', 'position', 'parent_id'],
]

interface SpaceDecision extends Decision<'spaces'> {
  readonly id: number
  /** Null: the space is mapped to an existing one. */
  readonly guarded: readonly Value[] | null
  readonly slug: string
  readonly creator: number | null
  readonly files: readonly FileUse[]
}

const lastPosition = statementNumber('select coalesce(max(position), 0) as n from spaces')

interface Link {
  readonly membership_ids?: readonly string[]
  readonly permalink?: string
}
const linksOf = ({ settings }: Space): readonly Link[] => (Array.isArray(settings?.['links']) ? (settings['links'] as Link[]) : [])
const linkedSpaces = (space: Space): string[] => linksOf(space).flatMap(({ membership_ids = [] }) => [...membership_ids])
const permalinks = (space: Space, isOwn: (address: string) => boolean): string[] =>
  linksOf(space).flatMap(({ permalink }) => (typeof permalink === 'string' && isOwn(permalink) ? [permalink] : []))

/** Targets of the links of spaces. */
interface Linked {
  readonly spaces: ReadonlyMap<string, { readonly id: number }>
  readonly targets: ReadonlyMap<string, Target>
}

const isOpen = (space: Space, { spaces: known, targets }: Linked, isOwn: (address: string) => boolean): boolean =>
  linkedSpaces(space).some((id) => !known.has(id)) || permalinks(space, isOwn).some((address) => !targets.has(address))

/** The settings in stored form. */
const settingsOf = (space: Space, { spaces: known, targets }: Linked, notes: string[]): string => {
  const { links: _, meta_settings: extension, ...given } = space.settings ?? {}
  const links = linksOf(space).map((link) => ({
    ...link,
    ...(link.permalink !== undefined && { permalink: targets.get(link.permalink)?.absolute ?? link.permalink }),
    membership_ids: (link.membership_ids ?? []).flatMap((id) => known.get(id)?.id ?? []),
  }))
  const valid = validSettings(SpaceSettingsInput, { ...given, ...(links.length > 0 && { links }) }, notes)
  let merged = '{}'
  // Merged one by one, so that an invalid value drops only itself.
  for (const [name, value] of Object.entries(valid)) {
    const next = accepted(() => mergeSettings(merged, { [name]: value } as Settings))
    if (next === undefined) notes.push(`its setting ${name} was dropped: the value is not valid`)
    else merged = next
  }
  return extension && typeof extension === 'object' ? withMetaSettings(merged, extension as Record<string, unknown>) : merged
}

const NO_LOCKSCREEN = 'null'

const lockscreenOf = ({ lockscreen }: Space, notes: string[]): string => {
  if (lockscreen === undefined) return NO_LOCKSCREEN
  const { config, sections, ...flat } = lockscreen as { config?: object; sections?: unknown }
  const input = { enabled: false, ...flat, ...config, ...(sections !== undefined && { lockscreen: sections }) }
  const schema = api.spaces.saveLockscreens.body
  const merged = conforms(schema, input) ? accepted(() => mergeLockscreen(NO_LOCKSCREEN, input as Lockscreen)) : undefined
  if (merged === undefined) notes.push('its lock screen was dropped: it is not valid')
  return merged?.stored ?? NO_LOCKSCREEN
}

/** The privacy in this community, which a mapping can override. */
const privacyOf = (run: Run, record: Space) => run.mapping.privacy(record) ?? record.privacy

const announce = (run: Run, record: Space, into: { readonly slug: string; readonly privacy: string } | null, leftOut = false) =>
  run.report.space({
    id: record.id,
    title: record.title,
    source_privacy: record.privacy,
    privacy: into?.privacy ?? privacyOf(run, record),
    into: into?.slug ?? null,
    left_out: leftOut,
    ...{ members: 0, pending: 0, posts: 0 },
  })

export const spaces: KindWriter<'spaces', SpaceDecision> = {
  kind: 'spaces',
  guarded: { table: 'spaces', columns: COLUMNS },
  most: 200,
  pass: async (run, records) => {
    const found = await run.find(
      'spaces',
      records.map(({ id }) => id),
    )
    for (const record of records) {
      const space = found.get(record.id)
      if (space) announce(run, record, space)
    }
  },
  decide: async (run, items, settle) => {
    const { read } = run.services.database
    const decided: SpaceDecision[] = []
    const own: Item<'spaces'>[] = []
    for (const item of items) {
      const { record } = item
      const mapped = item.known === undefined ? run.mapping.space(record) : undefined
      if (mapped === null) {
        announce(run, record, null, true)
        settle(item, 'skipped', 'it was excluded')
      } else if (mapped) {
        const space = await read
          .selectFrom('spaces')
          .select(['privacy', 'status', 'created_by'])
          .where('id', '=', mapped.id)
          .executeTakeFirstOrThrow()
        announce(run, record, { slug: mapped.slug, privacy: space.privacy })
        run.memory.put('spaces', record.id, { ...mapped, ...space })
        decided.push({ item, id: mapped.id, guarded: null, slug: mapped.slug, creator: null, files: [] })
      } else {
        if (item.known === undefined) announce(run, record, null)
        own.push(item)
      }
    }
    const fresh = own.filter(({ known }) => known === undefined)
    const ids = await run.ids.take('spaces', fresh.length)
    const people = await run.find(
      'people',
      own.map(({ record }) => record.created_by),
    )
    const slugs = await freeSlugs(
      run,
      SPACE_SLUGS,
      fresh.map(({ record: { id, slug, title } }) => ({ kind: 'spaces', id, slug, words: title, fallback: 'space', hidden: false })),
    )
    for (const [i, { record }] of fresh.entries()) {
      const creator = people.get(record.created_by ?? '')?.id ?? null
      const found = { id: ids[i] as number, slug: slugs[i] as string, privacy: privacyOf(run, record), status: record.status }
      run.memory.put('spaces', record.id, { ...found, created_by: creator })
    }
    const known = await run.find('spaces', [...own.map(({ record }) => record.id), ...own.flatMap(({ record }) => linkedSpaces(record))])
    const { isOwn } = run.addresses
    const targets = await run.targets(own.flatMap(({ record }) => permalinks(record, isOwn)))
    const linked = { spaces: known, targets }
    const groups = await run.find(
      'space_groups',
      own.map(({ record }) => record.group),
    )
    const pictures = await run.find(
      'media',
      own.flatMap(({ record }) => [record.logo, record.cover_photo]),
    )
    const last = await lastPosition(read)
    const claimed = await claimFiles(
      run,
      'space',
      own.map(({ record, known: row }) => ({
        ...{ kind: 'spaces' as const, id: record.id, holder: row?.local_id ?? undefined },
        keys: [record.logo, record.cover_photo].flatMap((id) => pictures.get(id ?? '')?.key ?? []),
      })),
    )
    for (const [i, item] of own.entries()) {
      const { record, notes } = item
      const space = known.get(record.id)
      if (!space) continue
      if (item.known) announce(run, record, { slug: space.slug, privacy: privacyOf(run, record) })
      const files = claimed[i] as FileUse[]
      const picture = (id: string | null | undefined, url: string | undefined) =>
        withOwnFiles(pictureUrl(run, pictures, id, urlOf(url)), files)
      const group = record.group ? groups.get(record.group) : undefined
      if (record.group && !group) notes.push('its space group was not imported')
      decided.push({
        item,
        id: space.id,
        slug: space.slug,
        guarded: [
          titleOf(record.title, SPACE_TITLE_LENGTH, space.slug),
          cutBytes(record.description ?? '', SPACE_DESCRIPTION_BYTES),
          record.type ?? 'community',
          privacyOf(run, record),
          record.status,
          settingsOf(record, linked, notes),
          lockscreenOf(record, notes),
          picture(record.logo, record.logo_url),
          picture(record.cover_photo, record.cover_photo_url),
          record.position ?? last + i + 1,
          group?.id ?? null,
        ],
        creator: people.get(record.created_by ?? '')?.id ?? null,
        files,
        unresolved: isOpen(record, linked, isOwn),
      })
    }
    return decided
  },
  insert: async (run, slice, decided) => {
    const created = decided.filter(({ guarded }) => guarded !== null)
    await slice.add(
      'spaces',
      ['id', 'slug', 'created_by', ...COLUMNS, 'created_at', 'updated_at'],
      created.map(({ id, slug, creator, guarded, item: { record } }) => {
        const at = notAfter(run.now, record.created_at)
        return [id, slug, creator, ...(guarded ?? []), at, record.updated_at ?? at]
      }),
    )
    for (const { id, creator, item } of created)
      if (creator !== null) {
        const at = notAfter(run.now, item.record.created_at)
        slice.activities.push({ user: creator, action: 'space_created', on: ['space', id], space: id, at })
      }
    await attachFiles(slice, 'space', created)
    for (const { id, item } of decided) slice.redirect('spaces', id, item.record.urls)
  },
  update: async (_run, slice, decided) => {
    for (const { id, guarded } of decided) if (guarded !== null) await setColumns(slice.db, 'spaces', COLUMNS, id, guarded)
    await attachFiles(slice, 'space', decided)
    for (const { id, item } of decided) slice.redirect('spaces', id, item.record.urls)
  },
}
