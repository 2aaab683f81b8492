import type { Member, World } from '#test/world.ts'
import { type ActorName, COURSES, type CourseKind, learnsIn, runsCourse, seesCourse } from './rules.ts'

export interface CanaryLesson {
  readonly id: number
  readonly slug: string
  readonly isPublished: boolean
}
export interface CanaryCourse {
  readonly kind: CourseKind
  readonly id: number
  readonly slug: string
  readonly title: string
  readonly category: string
  readonly sections: readonly number[]
  readonly lessons: readonly CanaryLesson[]
}

type SeenBy = (actor: ActorName) => boolean
type Hide = (of: string, sort: 'course' | 'lesson' | 'membership', seenBy: SeenBy, more?: { readonly name?: true }) => string
type People = Readonly<Record<'administrator' | 'member' | 'left', Member>>

const makeCourse = async (world: World, { administrator, member, left }: People, hide: Hide, kind: CourseKind) => {
  const sees = (of: string) => hide(`${of} of ${kind} course`, 'course', (actor) => seesCourse(actor, kind))
  const runs = (of: string) => hide(`${of} of ${kind} course`, 'course', (actor) => runsCourse(actor))
  const [title, category] = [sees('title'), sees('category')]
  const { api } = administrator
  const { data } = await api.courses.create({
    title,
    slug: title,
    category,
    description: `About ${sees('description')}`,
    content: `<p>${sees('content')}</p>`,
    course_type: 'scheduled',
    status: 'published',
    settings: { links: [{ title: runs('link that is off'), permalink: 'https://example.org/', enabled: 'no' }] },
  })
  const course_id = data.id
  await api.adminCourses.saveLockscreens({ course_id, enabled: false, message: runs('lock screen that is off') })

  const sections: number[] = []
  const lessons: CanaryLesson[] = []
  const section = async (of: string, shown: boolean, more: { status?: 'draft'; scheduled_at?: string } = {}) => {
    const { id } = (await api.courseSections.create({ course_id, title: shown ? sees(`title of ${of}`) : runs(`title of ${of}`), ...more }))
      .data
    sections.push(id)
    return id
  }
  const lesson = async (of: string, section_id: number, shown: boolean, reads: SeenBy, status: 'published' | 'draft' = 'published') => {
    const name = shown ? sees(`title of ${of}`) : runs(`title of ${of}`)
    const { id } = (await api.adminLessons.create({ course_id, section_id, title: name, type: 'lesson' })).data
    const content = `<p>${hide(`content of ${of} of ${kind} course`, 'lesson', reads)}</p>`
    await api.lessons.update({ course_id, lesson_id: id, content, status })
    const { slug } = (await api.lessons.byId({ course_id, lesson_id: id })).data
    lessons.push({ id, slug, isPublished: shown })
  }
  const open = await section('open section', true)
  await lesson('lesson', open, true, (actor) => learnsIn(actor, kind))
  await lesson('draft lesson', open, false, runsCourse, 'draft')
  await lesson('lesson in locked section', await section('locked section', true, { scheduled_at: '2031-01-01 00:00:00' }), true, runsCourse)
  await lesson('lesson in draft section', await section('draft section', false, { status: 'draft' }), false, runsCourse)

  // An enrolment in a published course creates an activity.
  const hidden: Member[] = []
  if (!kind.endsWith(' published'))
    hidden.push(await world.member({ displayName: hide(`who is in ${kind} course`, 'membership', runsCourse, { name: true }) }))
  for (const who of [member, left, ...hidden]) await api.adminCourses.addStudent({ course_id, user_id: who.id })
  await api.adminCourses.removeStudent({ course_id, user_id: left.id })
  const [privacy, status] = kind.split(' ') as ['public', 'draft']
  const close = () => api.courses.update({ course_id, privacy, status })
  return { course: { kind, id: course_id, slug: data.slug, title, category, sections, lessons } satisfies CanaryCourse, close }
}

/** Courses of every kind with lessons in every state; `close` hides some after everyone has been notified. */
export const makeCourses = async (world: World, people: People, hide: Hide) => {
  const made: Awaited<ReturnType<typeof makeCourse>>[] = []
  for (const kind of COURSES) made.push(await makeCourse(world, people, hide, kind))
  return {
    courses: made.map(({ course }) => course),
    close: async () => {
      for (const { close } of made) await close()
    },
  }
}
