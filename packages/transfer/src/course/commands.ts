import { basename, resolve } from 'node:path'
import {
  type CourseDraft,
  countsOf,
  createReport,
  type Finding,
  findingLine,
  readCourse,
  type Status,
  writeCoursePages,
} from '@lyceum/importers'
import { withCore } from '../../../server/src/cli/bootstrap.ts'
import { CommandError, printResult, type Terminal } from '../../../server/src/cli/terminal.ts'
import { loadDraft } from './export-course.ts'
import { inNameOf, ownerOf, storeCourse } from './import-course.ts'
import { readTree } from './read-tree.ts'
import { contentsOf, insertFiles, removeStored, stageFiles } from './staged-files.ts'
import { writeCourse } from './write-archive.ts'

export interface ImportOptions {
  readonly owner?: string
  readonly status?: Status
  readonly dryRun?: true
  readonly json?: true
}

const FAILED = 1

const printed = (findings: readonly Finding[], line: (finding: Finding) => string, before = '') =>
  findings.map((finding) => `lyceum: ${before}${line(finding)}\n`).join('')

/** With --json, also prints errors that prevent reading as JSON. */
const withJsonErrors = async (terminal: Terminal, place: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof CommandError)
      terminal.out(`${JSON.stringify({ ok: false, notes: [], errors: [{ file: place, line: null, text: error.message }] })}\n`)
    throw error
  }
}

const storeFrom = (terminal: Terminal, place: string, options: ImportOptions, end: (code: number) => void) =>
  withCore(terminal, async ({ services, write }) => {
    const report = createReport()
    const name = basename(resolve(place)).replace(/\.(?:zip|tar|tgz|tzst|tar\.gz|tar\.zst)$/i, '')
    const tree = await readTree(place)
    const read = readCourse(tree, { name, media: `${services.origin()}/media` }, report)
    const course = { ...read, status: options.status ?? read.status }
    const staged = await stageFiles(tree, course, services.config.mediaLimit, report)
    try {
      const { errors, notes } = report
      const counts = countsOf(course)
      const summary = { title: course.title, status: course.status, ...counts, notes, errors }
      if (errors.length > 0) {
        if (options.json) terminal.out(`${JSON.stringify({ ok: false, ...summary })}\n`)
        terminal.err(
          `${printed(notes, findingLine, 'note: ')}${printed(errors, findingLine)}lyceum: nothing was stored: ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}\n`,
        )
        return end(FAILED)
      }
      const owner = await ownerOf(services.database.read, options.owner)
      const store = async () => {
        const stored = await staged.store(services, owner.id)
        try {
          return await write(owner.id, async (context) => {
            const ctx = inNameOf(context, owner)
            await insertFiles(ctx, course, stored)
            return storeCourse(ctx, course)
          })
        } catch (error) {
          await removeStored(services, stored)
          throw error
        }
      }
      const made = options.dryRun ? null : await store()
      if (options.json)
        return terminal.out(`${JSON.stringify({ ok: true, ...(made ?? { id: null, slug: null }), ...summary, owner: owner.username })}\n`)
      terminal.err(printed(notes, findingLine, 'note: '))
      const what = `${course.title} (${course.status}): ${amounts(counts)}`
      terminal.out(
        made
          ? `Created ${what} with slug ${made.slug} and owner ${owner.username}.\n`
          : `${outline(course)}Would create ${what} with owner ${owner.username}. Nothing was stored.\n`,
      )
    } finally {
      await staged.clear()
    }
  })

const amount = (number: number, one: string) => `${number} ${number === 1 ? one : one === 'quiz' ? 'quizzes' : `${one}s`}`

type Counts = Readonly<Record<'sections' | 'lessons' | 'quizzes' | 'questions' | 'files', number>>

/** `2 sections, 5 lessons (2 quizzes with 7 questions), 1 file` */
const amounts = ({ sections, lessons, quizzes, questions, files }: Counts) => {
  const asked = quizzes > 0 ? ` (${amount(quizzes, 'quiz')} with ${amount(questions, 'question')})` : ''
  const kept = files > 0 ? `, ${amount(files, 'file')}` : ''
  return `${amount(sections, 'section')}, ${amount(lessons, 'lesson')}${asked}${kept}`
}

const outline = ({ sections }: CourseDraft) =>
  sections
    .map(({ title, lessons }) => `${title}\n${lessons.map((lesson) => `  ${lesson.title}${lesson.quiz ? ' (quiz)' : ''}\n`).join('')}`)
    .join('')

/** Imports a course from a folder, archive or file. Calls `end` with 1 if it has errors. */
export const importCourse = (terminal: Terminal, place: string, options: ImportOptions, end: (code: number) => void) => {
  const work = () => storeFrom(terminal, place, options, end)
  return options.json ? withJsonErrors(terminal, place, work) : work()
}

/** Exports a course by slug or id. */
export const exportCourse = (terminal: Terminal, key: string, place: string, json?: true) =>
  withCore(terminal, async ({ services }) => {
    const { read } = services.database
    const course = (await loadDraft(read, key)) ?? (/^[1-9]\d{0,14}$/.test(key) ? await loadDraft(read, Number(key)) : undefined)
    if (!course) throw new CommandError(`there is no course ${key}; "lyceum course list" lists them`)
    const pages = writeCoursePages(course)
    await writeCourse(
      place,
      new Map<string, string | Buffer>([...pages, ...(await contentsOf(read, services, course))]),
      services.clock.now(),
    )
    const counts = countsOf(course)
    const result = { slug: course.slug, place, pages: pages.size, ...counts }
    printResult(terminal, json, result, `Wrote ${course.title} to ${place}: ${amounts(counts)}.\n`)
  })
