import { Anything, Id, named, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

const Switch = () => oneOf(['yes', 'no'], { default: 'no' })
const text = (maxLength: number) => Type.String({ maxLength, default: '' })
const plainText = (maxLength: number) => Type.String({ maxLength, default: '', description: 'Plain text.' })
const webAddress = () => Type.String({ maxLength: 2048, default: '', description: 'An http(s) URL; may be empty.' })

export const COURSE_TYPES = ['self_paced', 'structured', 'scheduled'] as const

const link = {
  title: Type.String({ minLength: 1, maxLength: 200 }),
  permalink: Type.String({ minLength: 1, maxLength: 2048, description: 'An http(s) URL.' }),
  enabled: oneOf(['yes', 'no'], { default: 'yes' }),
  new_tab: Switch(),
}
const CourseLink = named('CourseLink', link)
const { title, permalink, ...linkOptions } = link
const CourseLinkInput = Type.Object({ title, permalink, ...Type.Partial(Type.Object(linkOptions)).properties })

const settings = {
  emoji: text(50),
  shape_svg: Type.String({ maxLength: 5000, default: '', description: 'An SVG of basic shapes, shown instead of the emoji.' }),
  disable_comments: Switch(),
  hide_members_count: oneOf(['yes', 'no'], {
    default: 'no',
    description: 'Whether the number of students is hidden (reported as 0) from users who do not manage the course.',
  }),
  course_layout: oneOf(['classic', 'modern'], { default: 'classic' }),
  course_details: text(20_000),
  hide_instructor_view: oneOf(['yes', 'no'], { default: 'no', description: 'Whether the instructor is hidden.' }),
  show_instructor_students_count: Switch(),
  sequential_lesson_order: oneOf(['yes', 'no'], {
    default: 'no',
    description: 'Whether a lesson opens only when all previous lessons are completed.',
  }),
  show_paywalls: Switch(),
  show_welcome_banner: Switch(),
  custom_lock_screen: oneOf(['yes', 'no', 'redirect'], { default: 'no' }),
  onboard_redirect_url: webAddress(),
  public_lesson_view: oneOf(['yes', 'no'], {
    default: 'no',
    description: 'Whether everyone can read the lessons of a public, self-paced course.',
  }),
  links: Type.Array(CourseLink, { default: [] }),
}

export const CourseSettings = named('CourseSettings', settings)
export const CourseSettingsInput = Type.Object({
  ...Type.Partial(Type.Object(settings)).properties,
  course_type: Type.Optional(oneOf(COURSE_TYPES, { description: 'An alias of `course_type` of the course.' })),
  links: Type.Optional(Type.Array(CourseLinkInput, { maxItems: 50 })),
})

const COURSE_LOCKSCREEN_TYPES = ['membership', 'payment', 'prerequisite', 'custom'] as const
/** Maximum number of prerequisites of a course. */
export const COURSE_PREREQUISITES = 20

export const CourseLockscreen = named('CourseLockscreen', {
  enabled: Type.Boolean(),
  type: oneOf(COURSE_LOCKSCREEN_TYPES, {
    default: 'custom',
    description: 'Kind of the lock screen; `prerequisite` requires other completed courses for enrollment.',
  }),
  conditions: Type.Object(
    { required_courses: Type.Optional(Type.Array(Id, { description: 'For `prerequisite`: ids of the courses to complete first.' })) },
    { additionalProperties: true },
  ),
  message: plainText(5000),
  button_text: plainText(200),
  button_url: webAddress(),
})

export const CourseLockscreenInput = Type.Object({
  enabled: Type.Boolean(),
  type: Type.Optional(oneOf(COURSE_LOCKSCREEN_TYPES)),
  conditions: Type.Optional(Anything),
  message: Type.Optional(Type.String({ maxLength: 5000 })),
  button_text: Type.Optional(Type.String({ maxLength: 200 })),
  button_url: Type.Optional(Type.String({ maxLength: 2048 })),
})
