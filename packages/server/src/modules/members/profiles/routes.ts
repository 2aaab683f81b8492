import { api, PROFILE_SPACES, type ResponseOf } from '@lyceum/contract'
import { callerResponse } from '../../../cache/caller-response.ts'
import type { Track } from '../../../cache/index.ts'
import type { ReadRequest } from '../../../core/context.ts'
import { pageOf, paginator } from '../../../core/pagination.ts'
import type { Handlers } from '../../../http/pipeline/route-handlers.ts'
import { reactionCountsOf } from '../../comments/index.ts'
import { followCounts } from '../../followers/index.ts'
import { readPage } from '../../settings/index.ts'
import { listSpaces, presentSpaces } from '../../spaces/index.ts'
import { renderMessage } from '../mentions.ts'
import { profileAbilities, profileFor } from '../profile-access.ts'
import { updateProfile } from './commands.ts'
import { commentsOf, countContributions } from './queries.ts'
import { viewComment, viewProfile } from './view.ts'

const cachedProfile = callerResponse<ResponseOf<typeof api.profiles.get>>(api.profiles.get)

/** A profile as shown to the caller. @throws invalid_username, user_not_found */
const buildProfile = async (ctx: ReadRequest, username: string, track: Track) => {
  const { db, actor, services } = ctx
  const row = await profileFor(ctx, username)
  const privacy = await readPage(db, 'privacy')
  const { seeEmail, seeSpaces, edit } = profileAbilities(actor, row, privacy)
  const { can_change_email, can_customize_username, show_last_activity } = privacy
  const staff = actor.role !== 'member'
  const may = {
    email: actor.role === 'admin' || can_change_email === 'yes',
    username: actor.role === 'admin' || can_customize_username === 'yes',
  }
  const lastActivity = edit || staff || show_last_activity === 'yes' ? row.last_activity : null
  const rendered = await renderMessage(ctx, row.short_description, 'text')
  const [writings, counts] = await Promise.all([countContributions(db, actor, row.id), followCounts(ctx, row)])
  const profile = viewProfile(
    { ...row, ...counts, last_activity: lastActivity },
    { ...writings, rendered, own: edit, may, seeEmail, seeSpaces, origin: services.origin() },
  )
  // Mentions in the description depend on which users exist.
  track.cover('visibility')
  track.tag(`profile:${row.id}`, `user:${row.id}`, `writer:${row.id}`, 'settings', 'people')
  return { profile }
}

export const profileHandlers: Handlers<typeof api.profiles> = {
  get: async (ctx, { params, query }) => {
    await ctx.services.points.catchUp()
    return cachedProfile(ctx, query, (track) => buildProfile(ctx, params.username, track))
  },

  update: async (ctx, { params, body }) => {
    const { id, display_name, short_description, updated_at } = await updateProfile(ctx, params.username, body)
    return { message: 'The profile was updated.', data: { id, display_name, bio: short_description, updated_at } }
  },

  comments: async (ctx, { params, query }) => {
    const { db, actor, services, request } = ctx
    const { id } = await profileFor(ctx, params.username)
    const { rows, total } = await commentsOf(db, actor, id, pageOf(query))
    const origin = services.origin()
    const counts = await reactionCountsOf(db, rows)
    return {
      comments: paginator(
        request.url,
        query,
        rows.map((row) => viewComment(row, counts.get(row.id) ?? [], origin)),
        total,
      ),
    }
  },

  // Returns an empty list instead of an error if memberships are hidden, because every profile page requests it.
  spaces: async (ctx, { params }) => {
    const { db, actor } = ctx
    const row = await profileFor(ctx, params.username)
    const { seeSpaces, edit } = profileAbilities(actor, row, await readPage(db, 'privacy'))
    if (!seeSpaces) return { spaces: [] }
    const filter = { member: row.id, revealsMembership: !edit }
    const { rows: spaces } = await listSpaces(db, actor, filter, { by: 'title', direction: 'asc' }, { limit: PROFILE_SPACES, offset: 0 })
    return { spaces: await presentSpaces(ctx, spaces) }
  },
}
