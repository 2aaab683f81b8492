import { LESSON_CONTENT_BYTES, LESSON_SLUG_LENGTH, LESSON_TITLE_LENGTH } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { statement, type Value } from '../../../../server/src/db/index.ts'
import { createLessonFeed } from '../../../../server/src/modules/feeds/index.ts'
import type { Question } from '../../../../server/src/modules/quizzes/definition.ts'
import type { Item } from '../batches.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Run } from '../run.ts'
import type { Slice } from '../slice.ts'
import { nobody } from './authors.ts'
import { recount } from './course-sections.ts'
import { attachFiles, claimFiles, type FileUse, withOwnFiles } from './files.ts'
import { questionsOf, saveImportedQuiz } from './quiz.ts'
import { slugsInCourses } from './slugs-in-course.ts'
import { flag, notAfter, titleOf, urlOf } from './values.ts'
import { setColumns } from './write-columns.ts'

type Lesson = ArchiveRecord<'lessons'>

interface LessonDecision extends Decision<'lessons'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly course: number
  readonly slug: string
  readonly files: readonly FileUse[]
  readonly questions: readonly Question[] | null
  /** Author of the lesson's comment feed. */
  readonly owner: number
  readonly title: string
}

// Positions are computed from the order of all lessons of the course.
const COLUMNS = [...['section_id', 'type', 'status', 'is_preview', 'title', 'video_url', 'duration', 'resources', 'settings', 'content']]

const resourcesOf = (resources: unknown): string => {
  const list = Array.isArray(resources) ? (resources as { title?: unknown; url?: unknown }[]) : []
  return JSON.stringify(
    list.flatMap(({ title, url }) => {
      const address = typeof url === 'string' ? urlOf(url) : ''
      return address ? [{ title: typeof title === 'string' && title.trim() ? title.trim() : address, url: address }] : []
    }),
  )
}

const setFeed = statement('update lessons set feed_id = $2 where id = $1 and feed_id is null')

const textInput = ({ content = '', video_url, resources }: Lesson) => ({
  text: content,
  ...{ isHtml: false, contentType: 'html' as const, most: LESSON_CONTENT_BYTES, withoutMentions: true },
  meta: { ...(video_url && { video_url }), ...(resources && { resources }) },
})

const findPlaces = async (
  run: Run,
  items: readonly Item<'lessons'>[],
  settle: Parameters<KindWriter<'lessons', LessonDecision>['decide']>[2],
) => {
  const courses = await run.find(
    'courses',
    items.map(({ record }) => record.course),
  )
  const sections = await run.find(
    'course_sections',
    items.map(({ record }) => record.section),
  )
  return items.flatMap((item) => {
    const course = courses.get(item.record.course)
    const section = sections.get(item.record.section)
    if (!course) settle(item, 'skipped', 'its course was not imported')
    else if (section?.course_id !== course.id) settle(item, 'skipped', 'its section was not imported')
    else return [{ item, course, section: section.id }]
    return []
  })
}

const saveParts = async (run: Run, slice: Slice, decided: readonly LessonDecision[]) => {
  const { db } = slice
  for (const { id, item, owner, title, questions } of decided) {
    const { record } = item
    const at = notAfter(run.now, record.created_at)
    if (record.quiz && questions) await saveImportedQuiz(db, id, record.quiz, questions, at)
    if (record.status === 'published') {
      const [row] = await db.selectFrom('lessons').select('feed_id').where('id', '=', id).execute()
      if (row?.feed_id === null) await setFeed(db, [id, await createLessonFeed(db, { lessonId: id, title, userId: owner }, at)])
    }
    slice.redirect('lessons', id, record.urls)
  }
  await attachFiles(slice, 'lesson', decided)
  await recount(
    slice,
    decided.map(({ course }) => course),
  )
}

export const lessons: KindWriter<'lessons', LessonDecision> = {
  kind: 'lessons',
  guarded: { table: 'lessons', columns: COLUMNS },
  most: 200,
  decide: async (run, items, settle) => {
    const placed = await findPlaces(run, items, settle)
    const texts = await run.texts(placed.map(({ item }) => textInput(item.record)))
    const claimed = await claimFiles(
      run,
      'lesson',
      placed.map(({ item: { record, known } }, i) => ({
        ...{ kind: 'lessons' as const, id: record.id, holder: known?.local_id ?? undefined, keys: texts[i]?.files ?? [] },
      })),
    )
    const fresh = placed.filter(({ item }) => item.known === undefined)
    const ids = await run.ids.take('lessons', fresh.length)
    const slugs = await slugsInCourses(
      run,
      fresh.map(({ item: { record }, course }) => ({
        kind: 'lessons',
        id: record.id,
        course: course.id,
        slug: record.slug,
        title: record.title,
      })),
      LESSON_SLUG_LENGTH,
    )
    const decided: LessonDecision[] = []
    for (const [i, one] of placed.entries()) {
      const { item, course, section } = one
      const { record, known, notes } = item
      const text = texts[i]
      notes.push(...(text?.notes ?? []))
      const files = claimed[i] as FileUse[]
      const place = fresh.indexOf(one)
      const id = known?.local_id ?? (ids[place] as number)
      const meta = text?.meta ?? {}
      const video = urlOf(meta['video_url'] as string | undefined)
      if (record.video_url?.trim() && !video) notes.push('its video was dropped: it is not a URL')
      const title = titleOf(record.title, LESSON_TITLE_LENGTH, 'Lesson')
      const found = { id, course_id: course.id, feed_id: null, type: record.type, status: record.status, title }
      run.memory.put('lessons', record.id, found)
      decided.push({
        item,
        id,
        course: course.id,
        slug: slugs[place] ?? '',
        files,
        title,
        questions: record.quiz && record.type === 'quiz' ? questionsOf(record.quiz.questions, notes) : null,
        owner: course.instructor_id ?? course.created_by ?? (await nobody(run)),
        guarded: [
          ...[
            section,
            record.type,
            record.status,
            flag(record.is_preview),
            title,
            withOwnFiles(video, files),
            titleOf(record.duration, 100),
          ],
          ...[
            withOwnFiles(resourcesOf(meta['resources']), files),
            JSON.stringify(record.settings ?? {}),
            withOwnFiles(text?.html ?? '', files),
          ],
        ],
        unresolved: text?.unresolved === true,
      })
    }
    return decided
  },
  insert: async (run, slice, decided) => {
    await slice.add(
      'lessons',
      ['id', 'course_id', 'slug', 'position', ...COLUMNS, 'created_at', 'updated_at'],
      decided.map(({ id, course, slug, guarded, item: { record } }, i) => {
        const at = notAfter(run.now, record.created_at)
        return [id, course, slug, record.position ?? i + 1, ...guarded, at, record.updated_at ?? at]
      }),
    )
    await saveParts(run, slice, decided)
  },
  update: async (run, slice, decided) => {
    for (const { id, guarded } of decided) await setColumns(slice.db, 'lessons', COLUMNS, id, guarded)
    await saveParts(run, slice, decided)
  },
}
