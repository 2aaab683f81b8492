import { type api, type BodyOf, CourseSettings, defaultsOf, type Infer } from '@lyceum/contract'
import { invalidField } from '../../core/errors.ts'
import { checkAddress, checkDrawing } from '../../core/validate-text.ts'

type Settings = Infer<typeof CourseSettings>
type SettingsInput = NonNullable<BodyOf<typeof api.courses.update>['settings']>
/** Only explicitly set keys are stored. */
type Stored = Partial<Settings>

const DEFAULTS = defaultsOf(CourseSettings) as unknown as Settings

const parse = (stored: string): Stored => (stored === '{}' ? {} : (JSON.parse(stored) as Stored))

export const readCourseSettings = (stored: string): Settings => (stored === '{}' ? DEFAULTS : { ...DEFAULTS, ...parse(stored) })

type LinkInput = NonNullable<SettingsInput['links']>[number]

const cleanLink = (link: LinkInput, i: number): Settings['links'][number] => {
  checkAddress(link.permalink, `settings.links.${i}.permalink`)
  return { enabled: 'yes', new_tab: 'no', ...link }
}

/**
 * Merges `input` into the stored settings by key. The course type is stored in a column of its own.
 * @throws invalid_url, invalid_data
 */
export const mergeCourseSettings = (stored: string, { links, course_type: _, ...input }: SettingsInput): string => {
  checkAddress(input.onboard_redirect_url, 'settings.onboard_redirect_url')
  checkDrawing(input.shape_svg, 'settings.shape_svg')
  const merged: Stored = { ...parse(stored), ...input, ...(links && { links: links.map(cleanLink) }) }
  // A course has one icon. A drawing takes precedence over an emoji in the same request; otherwise the latest wins.
  if (input.shape_svg) merged.emoji = ''
  else if (input.emoji && merged.shape_svg) merged.shape_svg = ''
  if (merged.custom_lock_screen === 'redirect' && !merged.onboard_redirect_url) {
    throw invalidField('settings.onboard_redirect_url', 'is required for a redirect')
  }
  return JSON.stringify(merged)
}

/** SQL: courses `c` whose instructor is hidden from non-managers. Matches the serialized JSON text. */
export const HIDES_INSTRUCTOR = `c.settings like '%"hide_instructor_view":"yes"%'`
