import type { api } from '@lyceum/contract'
import { may } from '../../../auth/authenticate.ts'
import type { Actor, WriteRequest } from '../../../core/context.ts'
import { ApiError } from '../../../core/errors.ts'
import { pageOf, pagination } from '../../../core/pagination.ts'
import { lockRow } from '../../../db/index.ts'
import type { Handlers } from '../../../http/pipeline/route-handlers.ts'
import { claimNamesOf, setStatus } from '../../accounts/index.ts'
import { audit } from '../../audit/index.ts'
import { mailRejected } from './mail.ts'
import { listWaiting, type PendingRegistration, removeWaiting, waitingById } from './queries.ts'

/** Managers limited to spaces cannot decide about registrations. @throws rest_forbidden */
const requireManageMembers = (actor: Actor) => {
  if (!may(actor, 'manage_members', null)) throw new ApiError('rest_forbidden')
}

/** Locks and loads a pending account. @throws rest_forbidden, user_not_found */
const lockPending = async ({ db, actor }: WriteRequest, userId: number): Promise<PendingRegistration> => {
  requireManageMembers(actor)
  await lockRow(db, 'users', userId)
  const waiting = await waitingById(db, [userId])
  if (!waiting) throw new ApiError('user_not_found')
  return waiting
}

export const registrationHandlers: Handlers<typeof api.registrations> = {
  list: async ({ db, actor }, { query }) => {
    requireManageMembers(actor)
    const { rows, total } = await listWaiting(db, query.status ?? 'pending', pageOf(query))
    const data = rows.map((row) => ({ ...row, email: actor.role === 'admin' ? row.email : '' }))
    return { data, meta: pagination(total, query.page, query.per_page) }
  },

  approve: async (ctx, { params }) => {
    const { id } = await lockPending(ctx, params.user_id)
    await claimNamesOf(ctx, id)
    await setStatus(ctx.db, [id, 'active', ctx.now])
    await audit(ctx, 'registration.approved', { object_type: 'user', object_id: id })
    await ctx.emit('user.registered', { user_id: id, approver_id: ctx.actor.id })
    return { message: 'The registration was approved.', data: { id, status: 'active' } }
  },

  reject: async (ctx, { params, body }) => {
    const { id, username, display_name, email } = await lockPending(ctx, params.user_id)
    await removeWaiting(ctx.db, id)
    await audit(ctx, 'registration.rejected', { object_type: 'user', object_id: id, details: { username } })
    await ctx.enqueue(mailRejected.name, { email, username, display_name, reason: body.reason?.trim() ?? '' })
    return { message: 'The registration was rejected.' }
  },
}
