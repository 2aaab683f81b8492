import {
  COURSE_CONTENT_BYTES,
  COURSE_DESCRIPTION_BYTES,
  COURSE_SLUG_LENGTH,
  COURSE_TITLE_LENGTH,
  CourseLockscreenInput,
  CourseSettingsInput,
} from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { conforms } from '@lyceum/importers/check-record'
import { statementNumber, type Value } from '../../../../server/src/db/index.ts'
import { mergeLockscreen } from '../../../../server/src/modules/courses/lockscreen.ts'
import { mergeCourseSettings } from '../../../../server/src/modules/courses/settings.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import { attachFiles, claimFiles, type FileUse, pictureUrl, withOwnFiles } from './files.ts'
import { validSettings } from './settings.ts'
import { freeSlugs } from './slugs.ts'
import { accepted, cutBytes, notAfter, titleOf, urlOf } from './values.ts'
import { setColumns } from './write-columns.ts'

type Course = ArchiveRecord<'courses'>
type Settings = Parameters<typeof mergeCourseSettings>[1]
type Lockscreen = Parameters<typeof mergeLockscreen>[1]

const COLUMNS = [
  ...['title', 'description', 'content', 'category_id', 'instructor_id', 'created_by', 'status', 'privacy', 'course_type', 'difficulty'],
  ...['duration', 'price', 'settings', 'featured_image', 'logo', 'cover_photo', 'position', 'published_at'],
]

/** Reserved path segments below `/courses`. */
const SLUGS = {
  name: 'courses',
  tables: ['courses'],
  longest: COURSE_SLUG_LENGTH,
  reserved: new Set('all all-courses create edit my-courses new search'.split(' ')),
} as const

interface CourseDecision extends Decision<'courses'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly slug: string
  readonly lockscreen: string
  readonly files: readonly FileUse[]
}

const lastPosition = statementNumber('select coalesce(max(position), 0) as n from courses')

const settingsOf = ({ settings }: Course, notes: string[]): string => {
  let merged = '{}'
  for (const [name, value] of Object.entries(validSettings(CourseSettingsInput, settings, notes))) {
    const next = accepted(() => mergeCourseSettings(merged, { [name]: value } as Settings))
    if (next === undefined) notes.push(`its setting ${name} was dropped: the value is not valid`)
    else merged = next
  }
  return merged
}

/** The lock screen without required courses, which are set after all courses are imported. */
const lockscreenOf = ({ lockscreen }: Course, notes: string[]): string => {
  if (lockscreen === undefined) return '{}'
  const input = { enabled: false, ...lockscreen }
  const merged = conforms(CourseLockscreenInput, input) ? accepted(() => mergeLockscreen('{}', input as Lockscreen)) : undefined
  if (merged === undefined) notes.push('its lock screen was dropped: it is not valid')
  return merged === undefined ? '{}' : JSON.stringify(merged)
}

const PRICE = /^\d{1,9}(?:\.\d{1,4})?$/
const PICTURES = ['featured_image', 'logo', 'cover_photo'] as const

export const courses: KindWriter<'courses', CourseDecision> = {
  kind: 'courses',
  guarded: { table: 'courses', columns: COLUMNS },
  most: 100,
  decide: async (run, items) => {
    const categories = await run.find(
      'course_categories',
      items.map(({ record }) => record.category),
    )
    const people = await run.find(
      'people',
      items.flatMap(({ record }) => [record.instructor, record.created_by]),
    )
    const media = await run.find(
      'media',
      items.flatMap(({ record }) => PICTURES.map((name) => record[name])),
    )
    const texts = await run.texts(
      items.map(({ record }) => ({
        text: record.content ?? '',
        ...{ isHtml: false, contentType: 'html' as const, most: COURSE_CONTENT_BYTES, withoutMentions: true },
      })),
    )
    const claimed = await claimFiles(
      run,
      'course',
      items.map(({ record, known }, i) => ({
        ...{ kind: 'courses' as const, id: record.id, holder: known?.local_id ?? undefined },
        keys: [...(texts[i]?.files ?? []), ...PICTURES.flatMap((name) => media.get(record[name] ?? '')?.key ?? [])],
      })),
    )
    const fresh = items.filter(({ known }) => known === undefined)
    const ids = await run.ids.take('courses', fresh.length)
    const slugs = await freeSlugs(
      run,
      SLUGS,
      fresh.map(({ record: { id, slug, title } }) => ({ kind: 'courses', id, slug, words: title, fallback: 'course', hidden: false })),
    )
    const last = await lastPosition(run.services.database.read)
    return items.map((item, i) => {
      const { record, known, notes } = item
      const text = texts[i]
      notes.push(...(text?.notes ?? []))
      const files = claimed[i] as FileUse[]
      const place = fresh.indexOf(item)
      const id = known?.local_id ?? (ids[place] as number)
      const picture = (name: (typeof PICTURES)[number]) =>
        withOwnFiles(pictureUrl(run, media, record[name], urlOf(record[`${name}_url`])), files)
      const person = (wanted: string | null | undefined) => {
        const found = people.get(wanted ?? '')
        return found && found.status !== 'deleted' ? found.id : null
      }
      const instructor_id = person(record.instructor)
      const created_by = person(record.created_by)
      const slug = slugs[place] ?? ''
      run.memory.put('courses', record.id, { id, slug, instructor_id, created_by })
      return {
        item,
        id,
        slug,
        files,
        lockscreen: lockscreenOf(record, notes),
        guarded: [
          titleOf(record.title, COURSE_TITLE_LENGTH, 'Course'),
          cutBytes(record.description ?? '', COURSE_DESCRIPTION_BYTES),
          withOwnFiles(text?.html ?? '', files),
          categories.get(record.category ?? '')?.id ?? null,
          ...[instructor_id, created_by, record.status, record.privacy, record.course_type, record.difficulty ?? 'beginner'],
          titleOf(record.duration, 100),
          PRICE.test(record.price ?? '') ? (record.price as string) : '0',
          settingsOf(record, notes),
          ...[picture('featured_image'), picture('logo'), picture('cover_photo')],
          record.position ?? last + i + 1,
          record.published_at ?? (record.status === 'published' ? notAfter(run.now, record.created_at) : null),
        ],
        unresolved: text?.unresolved === true,
      }
    })
  },
  insert: async (run, slice, decided) => {
    await slice.add(
      'courses',
      ['id', 'slug', 'lockscreen', ...COLUMNS, 'created_at', 'updated_at'],
      decided.map(({ id, slug, lockscreen, guarded, item: { record } }) => {
        const at = notAfter(run.now, record.created_at)
        return [id, slug, lockscreen, ...guarded, at, record.updated_at ?? at]
      }),
    )
    await attachFiles(slice, 'course', decided)
    for (const { id, item } of decided) slice.redirect('courses', id, item.record.urls)
  },
  update: async (_run, slice, decided) => {
    for (const { id, guarded } of decided) await setColumns(slice.db, 'courses', COLUMNS, id, guarded)
    await attachFiles(slice, 'course', decided)
    for (const { id, item } of decided) slice.redirect('courses', id, item.record.urls)
  },
}
