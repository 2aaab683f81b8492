import { api, PROFILE_SPACES, type ResponseOf } from '@lyceum/contract'
import { responseCache } from '../../../cache/response-cache.ts'
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
import { commentsOf, countCommentsOf, countWritings } from './queries.ts'
import { viewComment, viewProfile } from './view.ts'

/** Callers and profiles that are kept together. */
const KEPT = 2000
const keptProfile = responseCache<ResponseOf<typeof api.profiles.get>>('profiles', KEPT, api.profiles.get.response)

/** A profile as the caller sees it. @throws invalid_username, user_not_found */
const makeProfile = async (ctx: ReadRequest, username: string) => {
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
  const rendered = await renderMessage(db, row.short_description, 'text')
  const [writings, counts] = await Promise.all([countWritings(db, actor, row.id), followCounts(ctx, row)])
  const profile = viewProfile(
    { ...row, ...counts, last_activity: lastActivity },
    { ...writings, rendered, own: edit, may, seeEmail, seeSpaces, origin: services.origin() },
  )
  // Who is mentioned in the description may come into being.
  const subjects = [`profile:${row.id}`, `user:${row.id}`, `writer:${row.id}`, 'settings', 'people']
  return { answer: { profile }, subjects }
}

export const profileHandlers: Handlers<typeof api.profiles> = {
  get: (ctx, { params, query }) => keptProfile(ctx, query, () => makeProfile(ctx, params.username)),

  update: async (ctx, { params, body }) => {
    const { id, display_name, short_description, updated_at } = await updateProfile(ctx, params.username, body)
    return { message: 'The profile was updated.', data: { id, display_name, bio: short_description, updated_at } }
  },

  comments: async (ctx, { params, query }) => {
    const { db, actor, services, request } = ctx
    const { id } = await profileFor(ctx, params.username)
    const [rows, total] = await Promise.all([commentsOf(db, actor, id, pageOf(query)), countCommentsOf(db, actor, id)])
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

  // An empty list, not a refusal: where somebody is may be told of nobody, and a page that shows a profile asks for it anyway.
  spaces: async (ctx, { params }) => {
    const { db, actor } = ctx
    const row = await profileFor(ctx, params.username)
    const { seeSpaces, edit } = profileAbilities(actor, row, await readPage(db, 'privacy'))
    if (!seeSpaces) return { spaces: [] }
    const filter = { member: row.id, membersTold: !edit }
    const { spaces } = await listSpaces(db, actor, filter, { by: 'title', direction: 'asc' }, { limit: PROFILE_SPACES, offset: 0 })
    return { spaces: await presentSpaces(ctx, spaces) }
  },
}
