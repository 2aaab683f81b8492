import type { EventName } from '@lyceum/contract'
import type { Services, WriteContext, WriteRequest } from '../../../server/src/core/context.ts'
import type { Db } from '../../../server/src/db/index.ts'
import { inNameOf } from '../course/import-course.ts'
import type { NewActivity } from './activities.ts'

/** The activities that event listeners would record. */
const activityOf = (name: EventName, payload: { readonly [id: string]: unknown }, at: string): NewActivity[] => {
  const { user_id, course_id, lesson_id } = payload as { user_id: number; course_id: number; lesson_id: number }
  if (name === 'course.enrolled') return [{ user: user_id, action: 'course_enrolled', on: ['course', course_id], space: null, at }]
  if (name === 'lesson.completed') return [{ user: user_id, action: 'lesson_completed', on: ['lesson', lesson_id], space: null, at }]
  return []
}

interface QuietWrite {
  /** The time of the write. */
  readonly now: string
  readonly userId: number
  /** Receives the activities of the write. */
  readonly told?: NewActivity[]
}

/** A write on behalf of a member with all permissions. It emits no events and enqueues no jobs. */
export const quietWrite = (services: Services, db: Db, { now, userId, told = [] }: QuietWrite): WriteRequest => {
  const emit: WriteContext['emit'] = async (name, payload) => {
    told.push(...activityOf(name, payload, now))
  }
  const emitEach: WriteContext['emitEach'] = async (name, caused) => {
    for (const { payload } of caused) await emit(name, payload)
  }
  const snapshot = services.caches.inTransaction(services.caches.unpolled())
  const ctx: WriteContext = { db, services, now, snapshot, emit, emitEach, enqueue: async () => {}, enqueueEach: async () => {} }
  return inNameOf(ctx, { id: userId, username: '' })
}
