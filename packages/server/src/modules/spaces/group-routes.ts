import { type api, defaultsOf, type Infer, SpaceGroupSettings } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { cleanTitle } from '../../core/validate-text.ts'
import { type Db, lockName, lockRow, statement, statementNumber, statementOne } from '../../db/index.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { pick } from '../../util/pick.ts'
import { audit } from '../audit/index.ts'
import { type SpaceFor, spaceAbilities } from './access.ts'
import { allVisibleSpaces, type Group, groupById, nextPosition } from './queries.ts'
import { readSettings } from './settings.ts'
import { spaceSlugs } from './slugs.ts'
import { membersCount } from './view.ts'

const allGroups = statement<Group>('select * from space_groups order by position, id')

const nextGroupPosition = statementNumber('select coalesce(max(position), 0) + 1 as n from space_groups')
const setGroupPosition = statement('update space_groups set position = $2 where id = $1')
const countInGroup = statementNumber('select count(*) as n from spaces where parent_id = $1')

const spacePosition = statementOne<{ id: number; title: string; parent_id: number | null }>(
  'select id, title, parent_id from spaces where id = $1',
)
const setSpacePosition = statement('update spaces set parent_id = $2, position = $3 where id = $1')

/** Increments the positions from `$2` on, within the group (0: among spaces without a group), to insert a space there. */
const shiftPositions = statement(
  'update spaces set position = position + 1 where coalesce(parent_id, 0) = $1 and position >= $2 and id <> $3',
)

type Settings = Infer<typeof SpaceGroupSettings>
const DEFAULTS = defaultsOf(SpaceGroupSettings) as unknown as Settings

const viewGroup = ({ settings, position, ...group }: Group, spacesCount: number) => ({
  ...group,
  serial: position,
  settings: { ...DEFAULTS, ...(JSON.parse(settings) as Partial<Settings>) },
  spaces_count: spacesCount,
})

/** A space in the navigation. */
const viewEntry = (actor: Actor, space: SpaceFor) => {
  const abilities = spaceAbilities(actor, space)
  const { emoji, shape_svg } = readSettings(space.settings)
  return {
    ...pick(space, 'id', 'title', 'slug', 'parent_id', 'privacy', 'status', 'logo', 'posts_count'),
    serial: space.position,
    type: space.type as 'community',
    emoji,
    shape_svg,
    members_count: membersCount(space, abilities),
    is_member: abilities.isMember,
  }
}

/** Locks and loads a group. @throws not_found */
const lockGroup = async (db: Db, id: number): Promise<Group> => {
  await lockRow(db, 'space_groups', id)
  const group = await groupById(db, [id])
  if (!group) throw new ApiError('not_found', { message: 'This space group does not exist.' })
  return group
}

const lockSpacePosition = async (db: Db, id: number) => {
  await lockRow(db, 'spaces', id)
  const space = await spacePosition(db, [id])
  if (!space) throw new ApiError('not_found', { message: 'This space does not exist or you cannot see it.' })
  return space
}

/** Reordering updates many rows; a shared advisory lock prevents deadlocks between two reorderings. */
const lockOrder = (db: Db) => lockName(db, 'order of spaces and groups')

const assertUnique = (ids: readonly number[], field: string) => {
  if (new Set(ids).size !== ids.length) throw invalidField(field, 'must not contain duplicates')
}

export const spaceGroupHandlers: Handlers<typeof api.spaceGroups> = {
  list: async ({ db, actor }, { query }) => {
    const { with_spaces = true, include_empty = false } = query
    const [groups, visible] = await Promise.all([allGroups(db), allVisibleSpaces(db, actor)])
    const byGroup = Map.groupBy(visible, (space) => space.parent_id)
    const entries = (id: number | null) => (byGroup.get(id) ?? []).map((space) => viewEntry(actor, space))
    const shown = groups.filter((group) => include_empty || byGroup.has(group.id))
    return {
      groups: shown.map((group) => ({
        ...viewGroup(group, byGroup.get(group.id)?.length ?? 0),
        ...(with_spaces && { spaces: entries(group.id) }),
      })),
      orphaned_spaces: with_spaces ? entries(null) : [],
    }
  },

  create: async (ctx, { body }) => {
    const { db, now } = ctx
    const title = cleanTitle(body.title)
    const slug = await spaceSlugs.create(ctx, body.slug, title)
    const group = await db
      .insertInto('space_groups')
      .values({
        title,
        slug,
        description: body.description ?? '',
        position: await nextGroupPosition(db),
        settings: JSON.stringify(body.settings ?? {}),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, 'space_group.created', { object_type: 'space_group', object_id: group.id, details: { title } })
    return { message: 'The space group was created.', space_group: viewGroup(group, 0) }
  },

  update: async (ctx, { params, body }) => {
    const { db, now } = ctx
    const { id, title, description, settings } = await lockGroup(db, params.group_id)
    const group = await db
      .updateTable('space_groups')
      .set({
        title: body.title === undefined ? title : cleanTitle(body.title),
        description: body.description ?? description,
        settings: body.settings ? JSON.stringify({ ...(JSON.parse(settings) as Partial<Settings>), ...body.settings }) : settings,
        updated_at: now,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, 'space_group.updated', { object_type: 'space_group', object_id: id, details: { fields: Object.keys(body) } })
    return { message: 'The space group was updated.', space_group: viewGroup(group, await countInGroup(db, [id])) }
  },

  remove: async (ctx, { params }) => {
    const { id, title } = await lockGroup(ctx.db, params.group_id)
    await ctx.db.deleteFrom('space_groups').where('id', '=', id).execute()
    await audit(ctx, 'space_group.deleted', { object_type: 'space_group', object_id: id, details: { title } })
    return { message: 'The space group was deleted. Its spaces were kept.' }
  },

  reorder: async (ctx, { body: { group_ids: ids } }) => {
    const { db } = ctx
    assertUnique(ids, 'group_ids')
    await lockOrder(db)
    const groups = await allGroups(db)
    const known = new Set(groups.map((group) => group.id))
    if (!ids.every((id) => known.has(id))) throw new ApiError('not_found', { message: 'One of the space groups does not exist.' })
    const rest = groups.map((group) => group.id).filter((id) => !ids.includes(id))
    for (const [i, id] of [...ids, ...rest].entries()) await setGroupPosition(db, [id, i + 1])
    await audit(ctx, 'space_group.reordered', { object_type: 'space_group', object_id: null, details: { groups: ids } })
    return { message: 'The space groups were reordered.' }
  },

  reorderSpaces: async (ctx, { body: { space_ids: ids, group_id } }) => {
    const { db } = ctx
    assertUnique(ids, 'space_ids')
    await lockOrder(db)
    if (group_id) await lockGroup(db, group_id)
    // Locks in id order, as all multi-row locks do.
    const spaces = new Map<number, Awaited<ReturnType<typeof lockSpacePosition>>>()
    for (const id of ids.toSorted((a, b) => a - b)) spaces.set(id, await lockSpacePosition(db, id))
    for (const [i, id] of ids.entries()) {
      const parentId = group_id === undefined ? (spaces.get(id)?.parent_id ?? null) : group_id || null
      await setSpacePosition(db, [id, parentId, i + 1])
    }
    await audit(ctx, 'space.reordered', { object_type: 'space', object_id: null, details: { spaces: ids } })
    return { message: 'The spaces were reordered.' }
  },

  moveSpace: async (ctx, { body: { space_id, group_id, serial: wanted } }) => {
    const { db } = ctx
    const groupId = group_id || null
    await lockOrder(db)
    if (groupId !== null) await lockGroup(db, groupId)
    const { id, title } = await lockSpacePosition(db, space_id)
    const position = wanted ?? (await nextPosition(db, groupId))
    if (wanted !== undefined) await shiftPositions(db, [groupId ?? 0, position, id])
    await setSpacePosition(db, [id, groupId, position])
    await audit(ctx, 'space.updated', { object_type: 'space', object_id: id, details: { fields: ['parent_id', 'serial'] } })
    await ctx.emit('space.updated', { space_id: id })
    return { message: 'The space was moved.', space: { id, title, group_id, serial: position } }
  },
}
