import { type api, type BodyOf, CourseSettings, defaultsOf, type Infer } from '@lyceum/contract'
import { checkAddress, checkDrawing } from '../../content/validate.ts'
import { invalidField } from '../../core/errors.ts'

type Settings = Infer<typeof CourseSettings>
type SettingsInput = NonNullable<BodyOf<typeof api.courses.update>['settings']>
/** What a row holds: only what somebody has set. */
type Stored = Partial<Settings>

const DEFAULTS = defaultsOf(CourseSettings) as unknown as Settings

const parse = (stored: string): Stored => (stored === '{}' ? {} : (JSON.parse(stored) as Stored))

/** The settings of a course, with every key. */
export const readCourseSettings = (stored: string): Settings => (stored === '{}' ? DEFAULTS : { ...DEFAULTS, ...parse(stored) })

type LinkInput = NonNullable<SettingsInput['links']>[number]

const cleanLink = (link: LinkInput, i: number): Settings['links'][number] => {
  checkAddress(link.permalink, `settings.links.${i}.permalink`)
  return { enabled: 'yes', new_tab: 'no', ...link }
}

/**
 * The stored form after `input` has been merged into it by key; the type of the course is a column of its own.
 * @throws invalid_url, invalid_data
 */
export const mergeCourseSettings = (stored: string, { links, course_type: _, ...input }: SettingsInput): string => {
  checkAddress(input.onboard_redirect_url, 'settings.onboard_redirect_url')
  checkDrawing(input.shape_svg, 'settings.shape_svg')
  const merged: Stored = { ...parse(stored), ...input, ...(links && { links: links.map(cleanLink) }) }
  // A course has one sign: a drawing beats an emoji that comes with it, else the newer one stays.
  if (input.shape_svg) merged.emoji = ''
  else if (input.emoji) merged.shape_svg = ''
  if (merged.custom_lock_screen === 'redirect' && !merged.onboard_redirect_url) {
    throw invalidField('settings.onboard_redirect_url', 'is required for a redirect')
  }
  return JSON.stringify(merged)
}

/** SQL over courses `c`: who teaches it is not told to those who do not run it. As the stored text was serialised. */
export const HIDES_INSTRUCTOR = `c.settings like '%"hide_instructor_view":"yes"%'`
