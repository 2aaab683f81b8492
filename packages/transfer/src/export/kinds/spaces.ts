import type { ArchiveRecord } from '@lyceum/contract/archive'
import { type SpaceGroupRow, type SpaceMemberRow, type SpaceRow, statementIn, type TopicRow } from '../../../../server/src/db/index.ts'
import { addressesOf, mediaIn } from '../addresses.ts'
import type { RowIds } from '../archive-ids.ts'
import { listing } from '../context.ts'
import { filled, parsed } from '../filled.ts'

type Settings = Record<string, unknown> & { readonly links?: readonly { readonly membership_ids?: readonly number[] }[] }

export const spaceGroups = listing<SpaceGroupRow, 'space_groups'>({
  columns: 'g.*',
  from: 'space_groups g where 1 = 1',
  key: 'g.id',
  inSpace: (space) => `g.id in (select s.parent_id from spaces s where s.id = ${space})`,
  view: async (ctx, rows) => {
    const ids = await ctx.ids({ space_groups: rows.map(({ id }) => id) })
    return rows.map(
      (row): ArchiveRecord<'space_groups'> => ({
        id: ids.of('space_groups', row.id),
        title: row.title,
        slug: row.slug,
        ...filled({ description: row.description, settings: parsed(row.settings) }),
        position: row.position,
        created_at: row.created_at,
        updated_at: row.updated_at,
      }),
    )
  },
})

const linkedSpaces = ({ links = [] }: Settings): number[] => links.flatMap(({ membership_ids = [] }) => membership_ids)

/** The settings of a space, with archive ids. */
const settingsOf = (settings: Settings, ids: RowIds): Record<string, unknown> => {
  if (linkedSpaces(settings).length === 0) return settings
  const links = settings.links?.map((link) => ({ ...link, membership_ids: link.membership_ids?.map((id) => ids.of('spaces', id)) ?? [] }))
  return { ...settings, links }
}

export const spaces = listing<SpaceRow, 'spaces'>({
  columns: 's.*',
  from: 'spaces s where 1 = 1',
  key: 's.id',
  inSpace: (space) => `s.id = ${space}`,
  view: async (ctx, rows) => {
    const all = rows.map((row) => ({ ...row, config: parsed<Settings>(row.settings) }))
    const media = await mediaIn(
      ctx,
      rows.flatMap(({ logo, cover_photo }) => [logo, cover_photo]),
    )
    const addresses = await addressesOf(
      ctx.db,
      'space_id',
      rows.map(({ id }) => id),
    )
    const ids = await ctx.ids({
      spaces: all.flatMap(({ id, config }) => [id, ...linkedSpaces(config)]),
      space_groups: rows.map(({ parent_id }) => parent_id),
      people: rows.map(({ created_by }) => created_by),
    })
    return all.map(
      (row): ArchiveRecord<'spaces'> => ({
        id: ids.of('spaces', row.id),
        urls: addresses(row.id, `/spaces/${row.slug}`),
        ...filled({ group: ids.ifAny('space_groups', row.parent_id) }),
        title: row.title,
        slug: row.slug,
        ...filled({ description: row.description }),
        type: row.type,
        privacy: row.privacy,
        status: row.status,
        ...filled({ settings: settingsOf(row.config, ids), lockscreen: parsed(row.lockscreen) }),
        ...media.picture('logo', row.logo),
        ...media.picture('cover_photo', row.cover_photo),
        position: row.position,
        ...filled({ created_by: ids.ifAny('people', row.created_by) }),
        created_at: row.created_at,
        updated_at: row.updated_at,
      }),
    )
  },
})

export const memberships = listing<SpaceMemberRow, 'memberships'>({
  columns: 'm.*',
  from: 'space_members m where 1 = 1',
  key: 'm.id',
  inSpace: (space) => `m.space_id = ${space}`,
  view: async (ctx, rows) => {
    const ids = await ctx.ids({ spaces: rows.map(({ space_id }) => space_id), people: rows.map(({ user_id }) => user_id) })
    return rows.map((row): ArchiveRecord<'memberships'> => {
      const [space, person] = [ids.of('spaces', row.space_id), ids.of('people', row.user_id)]
      return { id: `${space}/${person}`, space, person, role: row.role, status: row.status, joined_at: row.joined_at }
    })
  },
})

const spacesOfTopics = statementIn<{ topic_id: number; space_id: number }>(
  (list) => `select topic_id, space_id from topic_spaces where topic_id in (${list}) order by topic_id, space_id`,
)

export const topics = listing<TopicRow, 'topics'>({
  columns: 't.*',
  from: 'topics t where 1 = 1',
  key: 't.id',
  inSpace: (space) =>
    `(exists (select 1 from topic_spaces x where x.topic_id = t.id and x.space_id = ${space}) or exists
      (select 1 from feed_topics x join feeds f on f.id = x.feed_id where x.topic_id = t.id and f.space_id = ${space} and f.status <> 'draft'))`,
  view: async (ctx, rows) => {
    const offered = await spacesOfTopics(
      ctx.db,
      rows.map(({ id }) => id),
    )
    // The archive of a space contains no other space.
    const places = offered.filter(({ space_id }) => ctx.spaceId === null || space_id === ctx.spaceId)
    const addresses = await addressesOf(
      ctx.db,
      'topic_id',
      rows.map(({ id }) => id),
    )
    const ids = await ctx.ids({
      topics: rows.flatMap(({ id, parent_id }) => [id, parent_id]),
      spaces: places.map(({ space_id }) => space_id),
    })
    return rows.map((row): ArchiveRecord<'topics'> => {
      const own = places.filter(({ topic_id }) => topic_id === row.id)
      return {
        id: ids.of('topics', row.id),
        ...filled({ urls: addresses(row.id) }),
        title: row.title,
        slug: row.slug,
        ...filled({ description: row.description, color: row.color, icon: row.icon, admin_only: row.admin_only === 1 }),
        spaces: row.is_global === 1 ? null : own.map(({ space_id }) => ids.of('spaces', space_id)),
        ...filled({ parent: ids.ifAny('topics', row.parent_id) }),
        status: row.status,
        position: row.position,
        created_at: row.created_at,
        updated_at: row.updated_at,
      }
    })
  },
})
