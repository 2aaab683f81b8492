import { type api, type BodyOf, CourseLockscreen, defaultsOf, type Infer } from '@lyceum/contract'
import { checkAddress, checkFree } from '../../core/validate-text.ts'
import type { CourseAbilities } from './access.ts'
import { type RequiredCourse, readRequired } from './prerequisites.ts'

type Config = Infer<typeof CourseLockscreen>
type Input = BodyOf<typeof api.adminCourses.saveLockscreens>

const DEFAULTS = { ...defaultsOf(CourseLockscreen), enabled: false, conditions: {} } as unknown as Config

const readLockscreen = (stored: string): Config => ({ ...DEFAULTS, ...(JSON.parse(stored) as Partial<Config>) })

/** The courses required by an enabled lock screen of type `prerequisite`; otherwise none. @throws invalid_data */
export const requiredBy = ({ enabled, type, conditions }: Config): number[] => {
  const ids = readRequired(conditions.required_courses, 'conditions.required_courses')
  return enabled && type === 'prerequisite' ? ids : []
}

export const mergeLockscreen = (stored: string, input: Input): Config => {
  checkAddress(input.button_url, 'button_url')
  checkFree(input.conditions, 'conditions')
  return { ...readLockscreen(stored), ...input }
}

/** The lock screen changed to require exactly these courses. */
export const withRequiredCourses = (stored: string, ids: readonly number[]): Config => {
  const before = readLockscreen(stored)
  if (ids.length === 0 && before.type !== 'prerequisite') return before
  return { ...before, enabled: ids.length > 0, type: 'prerequisite', conditions: { ...before.conditions, required_courses: [...ids] } }
}

/**
 * The lock screen for managers and for those it locks out. Enrolled students do not see it, nor do members who have completed all required
 * courses. Required courses that the caller may not see are omitted.
 */
export const lockscreenFor = (
  stored: string,
  { manage, isEnrolled }: Pick<CourseAbilities, 'manage' | 'isEnrolled'>,
  required: readonly RequiredCourse[],
): Config | null => {
  const config = readLockscreen(stored)
  if (manage) return config
  if (!config.enabled || isEnrolled) return null
  if (config.type !== 'prerequisite') return { ...config, conditions: {} }
  if (required.every((course) => course.my_completed_at !== null)) return null
  return { ...config, conditions: { required_courses: required.filter(({ visible }) => visible === 1).map(({ id }) => id) } }
}
