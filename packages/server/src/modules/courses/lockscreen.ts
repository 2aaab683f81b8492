import { type api, type BodyOf, CourseLockscreen, defaultsOf, type Infer } from '@lyceum/contract'
import { checkAddress, checkFree } from '../../platform/content/checks.ts'
import { readRequired } from './prerequisites.ts'

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

/** What stands before the door, as others than those who run the course see it: `seen` are the courses that they may know of. */
export const lockscreenFor = (stored: string, manages: boolean, seen: readonly number[]): Config | null => {
  const config = readLockscreen(stored)
  if (manages) return config
  if (!config.enabled) return null
  return { ...config, conditions: config.type === 'prerequisite' ? { required_courses: [...seen] } : {} }
}
