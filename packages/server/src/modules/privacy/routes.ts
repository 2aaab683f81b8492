import { randomBytes } from 'node:crypto'
import { api, MAX_EXPORTS_PER_DAY } from '@lyceum/contract'
import { signedOutHeaders } from '../../auth/session.ts'
import { shift } from '../../core/clock.ts'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError, tooMany, unauthorized } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { accountById, confirmPassword, requireAnotherAdmin } from '../accounts/index.ts'
import { audit } from '../audit/index.ts'
import { deleteAccount } from './deletion.ts'
import { makeExport } from './export-jobs.ts'
import { exportBy, exportsOf, insertExport, requestedSince, viewExport } from './export-queries.ts'

const DAY_S = 24 * 3600

/** Limits exports per member and day. @throws rate_limit_exceeded */
const checkExportRate = async ({ db, now, services }: WriteRequest, userId: number): Promise<void> => {
  if (services.config.rateLimit === 'off') return
  const asked = await requestedSince(db, [userId, shift(now, -DAY_S), now])
  if (asked.length < MAX_EXPORTS_PER_DAY) return
  const oldest = asked[asked.length - MAX_EXPORTS_PER_DAY] as string
  throw tooMany(Math.ceil((Date.parse(`${shift(oldest, DAY_S)}Z`) - Date.parse(`${now}Z`)) / 1000))
}

/** @throws conflict if another export is pending */
const requestExport = async (ctx: WriteRequest, userId: number) => {
  const { db, now, actor, services } = ctx
  const key = randomBytes(16).toString('hex')
  // A distinct prefix: the garbage collection of uploads deletes unknown files of the usual form.
  const path = `${key.slice(0, 2)}/export-${key}.zip`
  const row = await insertExport(db, [userId, actor.id, key, services.storage.current.kind, path, now])
  if (!row) throw new ApiError('conflict', { message: 'A data export is already being created.' })
  await ctx.enqueue(makeExport.name, { export_id: row.id })
  return viewExport(row, services.origin(), now)
}

export const privacyHandlers: Handlers<typeof api.privacy> = {
  requestExport: async (ctx) => {
    await lockRow(ctx.db, 'users', ctx.actor.id)
    await checkExportRate(ctx, ctx.actor.id)
    return {
      message: 'The data export is being created. You will receive an email when it is ready.',
      data: await requestExport(ctx, ctx.actor.id),
    }
  },

  exports: async ({ db, now, actor, services }) => ({
    data: (await exportsOf(db, [actor.id])).map((row) => viewExport(row, services.origin(), now)),
  }),

  export: async ({ db, now, actor, services }, { params }) => {
    const row = await exportBy(db, [params.export_id])
    if (row?.user_id !== actor.id) throw new ApiError('export_not_found')
    return { data: viewExport(row, services.origin(), now) }
  },

  deleteAccount: prepared(
    api.privacy.deleteAccount,
    async (ctx, { body }) => (await confirmPassword(ctx, body.current_password)).password_hash,
    async (ctx, { body: { content = 'anonymise' } }, passwordHash) => {
      const { actor } = ctx
      // A concurrent deletion or password change came first.
      if (!(await deleteAccount(ctx, actor.id, { content, passwordHash }))) throw unauthorized()
      // Omit the IP address of a person who asked for erasure.
      const { request: _request, ...unplaced } = ctx
      await audit(unplaced, 'account.deleted', { object_type: 'user', object_id: actor.id, details: { content } })
      if (actor.sessionId !== null) {
        for (const [name, value] of signedOutHeaders(ctx)) ctx.setHeader(name, value)
      }
      return { message: 'Your account was deleted.' }
    },
  ),

  exportMember: async (ctx, { params: { user_id: userId } }) => {
    await lockRow(ctx.db, 'users', userId)
    const account = await accountById(ctx.db, [userId])
    if (!account || account.status === 'deleted') throw new ApiError('user_not_found')
    const data = await requestExport(ctx, userId)
    await audit(ctx, 'account.export_requested', { object_type: 'user', object_id: userId, details: { export_id: data.id } })
    return { message: 'The data export is being created. The member will receive an email when it is ready.', data }
  },

  deleteMember: async (ctx, { params: { user_id: id }, body: { content = 'anonymise' } }) => {
    const { actor } = ctx
    if (id === actor.id) await requireAnotherAdmin(ctx.db, id)
    if (id === actor.id) throw new ApiError('rest_forbidden', { message: 'Delete your own account in your settings.' })
    if (!(await deleteAccount(ctx, id, { content, by: actor }))) throw new ApiError('user_not_found')
    await audit(ctx, 'account.deleted', { object_type: 'user', object_id: id, details: { content } })
    return { message: 'The account was deleted.', data: { id, content } }
  },
}
