import unhomoglyph from 'unhomoglyph'
import type { WriteContext } from '../../core/context.ts'
import { statement, statementOne } from '../../db/index.ts'
import { projector } from '../../jobs/index.ts'
import { loadUserFacts, type UserFacts } from '../members/index.ts'
import { hasFeature } from '../settings/index.ts'
import { putReport } from './queries.ts'

/** Scripts with letters that look like those of another script. */
const CONFUSABLE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
]

/** Whether a name mixes scripts with confusable letters. */
export const mixesScripts = (name: string): boolean => CONFUSABLE_SCRIPTS.filter((alphabet) => alphabet.test(name)).length > 1

const lettersOf = (name: string): string => name.normalize('NFKC').replace(/[^\p{L}\p{N}\p{M}]+/gu, '')

/**
 * The skeletons of a name (Unicode TR 39), without spaces and punctuation: as written, because a capital I looks like an l, and in lower
 * case, because names are case-insensitive.
 */
export const skeletonsOf = (name: string): readonly string[] => {
  const letters = lettersOf(name)
  return [unhomoglyph(letters).toLowerCase(), unhomoglyph(letters.toLowerCase()).toLowerCase()]
}

interface MemberNames {
  readonly username: string
  readonly display_name: string
}

/** The person whose name this name could be mistaken for. */
const findLookAlike = <P extends MemberNames>(name: string, people: readonly P[]): P | undefined => {
  const skeletons = skeletonsOf(name).filter((look) => look !== '')
  return people.find((person) =>
    [person.username, person.display_name].some((other) => skeletonsOf(other).some((look) => skeletons.includes(look))),
  )
}

const staff = statement<MemberNames & { role: string }>(
  `select u.username, u.display_name, m.role from managers m join users u on u.id = m.user_id
   where m.user_id > 0 and m.status = 'active' and u.status = 'active' order by m.user_id`,
)
const alreadyReported = statementOne<{ id: number }>(
  `select id from reports where object_type = 'user' and object_id = $1 and reporter_id is null and description = $2 limit 1`,
)

/** The warning for moderators about a display name; null if it is unsuspicious. */
const warningAbout = ({ username, display_name: name }: MemberNames, team: readonly (MemberNames & { role: string })[]): string | null => {
  const found = findLookAlike(name, team)
  if (found) return `The display name “${name}” of @${username} looks like the name of @${found.username} (${found.role}).`
  return mixesScripts(name) ? `The display name “${name}” of @${username} mixes alphabets that look alike.` : null
}

/** Reports members whose display name could be mistaken for someone else's. The name is accepted; each name is reported once. */
const reportSuspiciousNames = async ({ db, now, emit }: WriteContext, users: readonly UserFacts[]): Promise<void> => {
  if (!(await hasFeature(db, 'moderation'))) return
  const team = await staff(db, [])
  for (const { id, status, is_manager, ...names } of users) {
    const description = status === 'active' && is_manager === 0 && warningAbout(names, team)
    if (!description || (await alreadyReported(db, [id, description]))) continue
    const about = { object_type: 'user', object_id: id, space_id: null, lesson_id: null, title: names.display_name, excerpt: '' } as const
    const report = await putReport(db, { ...about, reporter_id: null, reported_user_id: id, reason: 'other', description }, now)
    if (report) await emit('report.created', { report_id: report.row.id })
  }
}

export const nameListeners = (['user.registered', 'user.profile_updated'] as const).map((event) =>
  projector(event, 'moderation.look_alikes', loadUserFacts, reportSuspiciousNames),
)
