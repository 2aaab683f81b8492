import type { api, BodyOf } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { type Hold, readConfig } from '../automod/index.ts'
import { hideComment } from '../comments/index.ts'
import { hideFeed } from '../feeds/index.ts'
import { countReporters, putReport, type ReportRow } from './queries.ts'
import { lockTarget, targetFor } from './report-targets.ts'

type Body = BodyOf<typeof api.moderation.report>

/** Hides published content once enough people have reported it. The caller holds the lock of its row, so this happens once. */
const hideReported = async (ctx: WriteRequest, { object_type, object_id }: ReportRow, feedId: number | null): Promise<void> => {
  if (object_type === 'user' || feedId === null) return
  const { auto_hide_threshold: threshold } = (await readConfig(ctx.db)).report_thresholds
  if (threshold === 0) return
  const reporters = await countReporters(ctx.db, [object_type, object_id])
  if (reporters < threshold) return
  const hold: Hold = { status: 'pending', reason: 'reports', details: { reporters } }
  if (object_type === 'feed') await hideFeed(ctx, object_id, hold)
  else await hideComment(ctx, feedId, object_id, hold)
}

/**
 * Reports something the caller can see, or updates their earlier report about it. @returns the report, and whether it is new
 * @throws not_found, invalid_data
 */
export const createReport = async (ctx: WriteRequest, body: Body): Promise<{ row: ReportRow; isNew: boolean }> => {
  const { db, actor, now } = ctx
  const { object_type, object_id, reason } = body
  const description = body.description?.trim() ?? ''
  if (reason === 'other' && description === '') throw invalidField('description', 'is required for the reason other')
  await lockTarget(ctx, object_type, object_id)
  const { feedId, ...target } = await targetFor(ctx, object_type, object_id)
  if (target.reported_user_id === actor.id) throw invalidField('object_id', object_type === 'user' ? 'is you' : 'is your own')
  const stored = await putReport(db, { ...target, reporter_id: actor.id, object_type, object_id, reason, description }, now)
  if (!stored) throw new ApiError('conflict')
  await ctx.emit(stored.isNew ? 'report.created' : 'report.updated', { report_id: stored.row.id })
  if (stored.isNew) await hideReported(ctx, stored.row, feedId)
  return stored
}
