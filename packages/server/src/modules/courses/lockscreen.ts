import { type api, type BodyOf, CourseLockscreen, defaultsOf, type Infer } from '@lyceum/contract'
import { checkAddress, checkFree } from '../../content/validate.ts'
import type { CourseAbilities } from './access.ts'
import { type Required, readRequired } from './prerequisites.ts'

type Config = Infer<typeof CourseLockscreen>
type Input = BodyOf<typeof api.adminCourses.saveLockscreens>

const STANDARD = { ...defaultsOf(CourseLockscreen), enabled: false, conditions: {} } as unknown as Config

export const readLockscreen = (stored: string): Config => ({ ...STANDARD, ...(JSON.parse(stored) as Partial<Config>) })

/** The courses that a lock screen asks for; none unless it is on and of that kind. @throws invalid_data */
export const requiredBy = ({ enabled, type, conditions }: Config): number[] => {
  const ids = readRequired(conditions.required_courses, 'conditions.required_courses')
  return enabled && type === 'prerequisite' ? ids : []
}

/** The lock screen after a change. @throws invalid_url, invalid_data */
export const mergeLockscreen = (stored: string, input: Input): Config => {
  checkAddress(input.button_url, 'button_url')
  checkFree(input.conditions, 'conditions')
  return { ...readLockscreen(stored), ...input }
}

/** The lock screen of a course that is to ask for exactly these courses. */
export const askingFor = (stored: string, ids: readonly number[]): Config => {
  const before = readLockscreen(stored)
  if (ids.length === 0 && before.type !== 'prerequisite') return before
  return { ...before, enabled: ids.length > 0, type: 'prerequisite', conditions: { ...before.conditions, required_courses: [...ids] } }
}

/**
 * What stands before the door, for those who run the course and for those whom it locks out: who is enrolled is inside, and what was asked for
 * is no obstacle once it is completed. Of the courses that are asked for only those are named that the caller may know of.
 */
export const lockscreenFor = (
  stored: string,
  { manage, isEnrolled }: Pick<CourseAbilities, 'manage' | 'isEnrolled'>,
  required: readonly Required[],
): Config | null => {
  const config = readLockscreen(stored)
  if (manage) return config
  if (!config.enabled || isEnrolled) return null
  if (config.type !== 'prerequisite') return { ...config, conditions: {} }
  if (required.every((course) => course.my_completed_at !== null)) return null
  return { ...config, conditions: { required_courses: required.filter(({ visible }) => visible === 1).map(({ id }) => id) } }
}
