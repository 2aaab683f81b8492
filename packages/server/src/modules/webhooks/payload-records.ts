import type { AccountStatus, ReactionType } from '@lyceum/contract'
import { type Db, type ReportRow, statementOne } from '../../db/index.ts'
import { ACTIVE_PERSON_COLUMNS, MEMBER_COLUMNS, type MemberColumns, viewMember, viewXprofile } from '../members/view.ts'
import { viewReported } from '../moderation/view.ts'
import { REACTION_COLUMNS, REACTION_TABLES, type ReactionFor, viewReactionWithProfile } from '../reactions/view.ts'

type Data = Readonly<Record<string, unknown>>

const member = statementOne<MemberColumns>(`select ${MEMBER_COLUMNS} from users u where u.id = $1`)
const person = statementOne<Omit<MemberColumns, 'manager_role'>>(
  `select u.id as user_id, ${ACTIVE_PERSON_COLUMNS} from users u where u.id = $1`,
)
const reaction = statementOne<ReactionFor>(`select ${REACTION_COLUMNS} from ${REACTION_TABLES} where r.id = $1`)
const membership = statementOne<Data & { user_id: number }>(
  'select id, space_id, user_id, role, status, joined_at, updated_at from space_members where space_id = $1 and user_id = $2',
)
const follow = statementOne<Data>(
  'select id, follower_id, following_id, status, created_at from followers where follower_id = $1 and following_id = $2',
)
const enrolment = statementOne<Data>(
  'select id, course_id, user_id, enrolled_at, progress, completed_at from enrolments where course_id = $1 and user_id = $2',
)
const completion = statementOne<Data>(
  'select lesson_id, course_id, user_id, completed_at from lesson_completions where user_id = $1 and lesson_id = $2',
)
const attempt = statementOne<Data>(
  'select id, lesson_id, course_id, user_id, attempt_number, status, score, passed from quiz_attempts where id = $1',
)
const reportPlace = statementOne<Pick<ReportRow, 'space_id' | 'lesson_id' | 'reported_user_id'>>(
  'select space_id, lesson_id, reported_user_id from reports where id = $1',
)
const standing = statementOne<{ id: number; status: AccountStatus; is_private: 0 | 1 }>(
  'select id, status, is_private from users where id = $1',
)
const report = statementOne<Parameters<typeof viewReported>[0]>('select * from reports where id = $1')
const titled = (table: 'courses' | 'spaces' | 'lessons') =>
  statementOne<{ id: number; title: string; slug: string }>(`select id, title, slug from ${table} where id = $1`)
const course = titled('courses')
const space = titled('spaces')
const lesson = titled('lessons')
const publishedLesson = statementOne<Data>(`select id, course_id, title, slug, type from lessons where id = $1 and status = 'published'`)

export const personOf = async (db: Db, id: number) => {
  const row = await person(db, [id])
  return row ? viewXprofile(row) : null
}

export const memberOf = async (db: Db, id: number): Promise<Data | null> => {
  const row = await member(db, [id])
  return row ? { id, ...viewMember(row) } : null
}

export const reactionOf = async (db: Db, id: number): Promise<Data | null> => {
  const row = await reaction(db, [id])
  return row ? viewReactionWithProfile({ ...row, type: row.type as ReactionType }, 0) : null
}

export const membershipOf = async (db: Db, spaceId: number, userId: number): Promise<Data | null> => {
  const row = await membership(db, [spaceId, userId])
  return row?.['status'] === 'active' ? { ...row, space: (await space(db, [spaceId])) ?? null, xprofile: await personOf(db, userId) } : null
}

export const followOf = async (db: Db, follower: number, following: number): Promise<Data | null> => {
  const row = await follow(db, [follower, following])
  return row?.['status'] === 'active' ? { ...row, following: await personOf(db, following) } : null
}

export const enrolmentOf = async (db: Db, courseId: number, userId: number): Promise<Data | null> => {
  const row = await enrolment(db, [courseId, userId])
  return row ? { ...row, course: (await course(db, [courseId])) ?? null, xprofile: await personOf(db, userId) } : null
}

export const completionOf = async (db: Db, lessonId: number, userId: number): Promise<Data | null> => {
  const row = await completion(db, [userId, lessonId])
  return row
    ? { ...row, lesson: (await lesson(db, [lessonId])) ?? null, course: (await course(db, [Number(row['course_id'])])) ?? null }
    : null
}

/** A published lesson, without its content. */
export const lessonOf = async (db: Db, id: number): Promise<Data | null> => (await publishedLesson(db, [id])) ?? null

export const attemptOf = async (db: Db, id: number): Promise<Data | null> => {
  const row = await attempt(db, [id])
  return row ? { ...row, passed: row['passed'] === 1 } : null
}

export const reportPlaceOf = (db: Db, id: number) => reportPlace(db, [id])

export const standingOf = (db: Db, id: number) => standing(db, [id])

/** Internal notes of moderators are omitted. */
export const reportOf = async (db: Db, id: number): Promise<Data | null> => {
  const row = await report(db, [id])
  if (!row) return null
  const { space_id, moderator_id, action_taken, updated_at } = row
  return { ...viewReported(row), space_id, moderator_id: moderator_id ?? 0, action_taken, updated_at }
}
