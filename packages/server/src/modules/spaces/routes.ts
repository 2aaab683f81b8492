import type { api } from '@lyceum/contract'
import { secondsSince } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { pageOf, pagination, paginator } from '../../core/pagination.ts'
import { type Handlers, messageAfter } from '../../http/pipeline/route-handlers.ts'
import { lockedSpaceFor, spaceAbilities, spaceFor } from './access.ts'
import { createSpace, removeSpace, saveSpace, updateSpace } from './commands.ts'
import { lockscreenIsOn, lockscreenSections, mergeLockscreen } from './lockscreen.ts'
import { listSpaces, type SpaceOrder } from './queries.ts'
import { readMetaSettings, readSettings, withLinks } from './settings.ts'
import { presentSpace, presentSpaces } from './view.ts'

const SORTS: Readonly<Record<'alphabetical' | 'oldest' | 'latest', SpaceOrder>> = {
  alphabetical: { by: 'title', direction: 'asc' },
  oldest: { by: 'created_at', direction: 'asc' },
  latest: { by: 'created_at', direction: 'desc' },
}

const readOne = async (ctx: ReadRequest, key: number | string) => ({ data: await presentSpace(ctx, await spaceFor(ctx, key, 'view')) })

export const spaceHandlers: Handlers<typeof api.spaces> = {
  list: async (ctx, { query }) => {
    const { type, privacy, status = 'published', parent_id: parent, search, orderby = 'serial', order: direction = 'asc' } = query
    const filter = { type, privacy, status, parent, search: search?.trim() }
    const by = orderby === 'serial' ? 'position' : orderby
    const { rows, total } = await listSpaces(ctx.db, ctx.actor, filter, { by, direction }, pageOf(query))
    return { spaces: await presentSpaces(ctx, rows), pagination: pagination(total, query.page, query.per_page) }
  },

  discover: async (ctx, { query }) => {
    const { type, search, sort_by = 'alphabetical' } = query
    const which = type === 'joined' ? { member: ctx.actor.id } : { status: 'published' as const, discoverable: true }
    const { rows, total } = await listSpaces(ctx.db, ctx.actor, { ...which, search: search?.trim() }, SORTS[sort_by], pageOf(query))
    return {
      spaces: paginator(ctx.request.url, query, await presentSpaces(ctx, rows), total),
      execution_time: secondsSince(ctx.request.startedAt),
    }
  },

  all: async (ctx, { query }) => {
    const { search, sort_by = 'alphabetical' } = query
    const { rows, total } = await listSpaces(ctx.db, ctx.actor, { search: search?.trim() }, SORTS[sort_by], pageOf(query))
    return { spaces: paginator(ctx.request.url, query, await presentSpaces(ctx, rows), total) }
  },

  bySlug: (ctx, { params }) => readOne(ctx, params.space_slug),
  byId: (ctx, { params }) => readOne(ctx, params.space_id),

  create: async (ctx, { body }) => ({ message: 'The space was created.', data: await createSpace(ctx, body) }),
  updateBySlug: async (ctx, { params, body }) => ({
    message: 'The space was updated.',
    data: await updateSpace(ctx, params.space_slug, body),
  }),
  updateById: async (ctx, { params, body }) => ({ message: 'The space was updated.', data: await updateSpace(ctx, params.space_id, body) }),

  remove: (ctx, { params }) => messageAfter(removeSpace(ctx, params.space_slug), 'The space was deleted.'),
  removeById: (ctx, { params }) => messageAfter(removeSpace(ctx, params.space_id), 'The space was deleted.'),

  lockscreens: async (ctx, { params }) => {
    const space = await spaceFor(ctx, params.space_slug, 'view')
    const abilities = spaceAbilities(ctx.actor, space)
    return { lockscreen: lockscreenSections(space, abilities), enabled: lockscreenIsOn(space, abilities) }
  },
  saveLockscreens: async (ctx, { params, body }) => {
    const space = await lockedSpaceFor(ctx, params.space_slug, 'manage')
    const { stored, config } = mergeLockscreen(space.lockscreen, body)
    await saveSpace(ctx, space, { lockscreen: stored }, ['lockscreen'])
    return { message: 'The lock screen was updated.', lockscreen: config }
  },

  saveLinks: async (ctx, { params, body }) => {
    const space = await lockedSpaceFor(ctx, params.space_slug, 'manage')
    const settings = withLinks(space.settings, body.links)
    await saveSpace(ctx, space, { settings }, ['links'])
    return { message: 'The links were saved.', links: readSettings(settings).links }
  },

  metaSettings: async (ctx, { params }) => {
    const space = await spaceFor(ctx, params.space_slug, 'manage')
    return { meta_settings: readMetaSettings(space.settings) }
  },
}
