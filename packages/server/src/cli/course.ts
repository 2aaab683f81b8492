import { basename, resolve } from 'node:path'
import { COURSE_STATUSES } from '@lyceum/contract'
import { type Command, Option } from 'commander'
import { type CourseRow, statement } from '../db/index.ts'
import { pagesById } from '../util/pages-by-id.ts'
import { withCore } from './bootstrap.ts'
import type { CourseDraft, Finding, Status } from './course/formats.ts'
import { textTable } from './table.ts'
import { CommandError, printResult, type Terminal } from './terminal.ts'

interface ImportOptions {
  readonly owner?: string
  readonly status?: Status
  readonly dryRun?: true
  readonly json?: true
}

const FAILED = 1

const printed = (findings: readonly Finding[], line: (finding: Finding) => string, before = '') =>
  findings.map((finding) => `lyceum: ${before}${line(finding)}\n`).join('')

/** With --json, an error that prevents reading is printed as JSON too. */
const withJsonErrors = async (terminal: Terminal, place: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof CommandError)
      terminal.out(`${JSON.stringify({ ok: false, notes: [], errors: [{ file: place, line: null, text: error.message }] })}\n`)
    throw error
  }
}

const importCourse = (terminal: Terminal, place: string, options: ImportOptions, end: (code: number) => void) =>
  withCore(terminal, async ({ services, write }) => {
    // Readers and packers: only these commands load them.
    const [{ countsOf, createReport, findingLine, readCourse }, { readTree }, files, { inNameOf, ownerOf, storeCourse }] =
      await Promise.all([
        import('./course/formats.ts'),
        import('./course/read-tree.ts'),
        import('./course/staged-files.ts'),
        import('./course/import-course.ts'),
      ])
    const report = createReport()
    const name = basename(resolve(place)).replace(/\.(?:zip|tar|tgz|tzst|tar\.gz|tar\.zst)$/i, '')
    const tree = await readTree(place)
    const read = readCourse(tree, { name, media: `${services.origin()}/media` }, report)
    const course = { ...read, status: options.status ?? read.status }
    const staged = await files.stageFiles(tree, course, services.config.mediaLimit, report)
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
            await files.insertFiles(ctx, course, stored)
            return storeCourse(ctx, course)
          })
        } catch (error) {
          await files.removeStored(services, stored)
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

const exportCourse = (terminal: Terminal, key: string, place: string, json?: true) =>
  withCore(terminal, async ({ services }) => {
    const [{ countsOf, writeCoursePages }, { loadDraft }, { writeCourse }, { contentsOf }] = await Promise.all([
      import('./course/formats.ts'),
      import('./course/export-course.ts'),
      import('./course/write-archive.ts'),
      import('./course/staged-files.ts'),
    ])
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

const LISTED = ['id', 'slug', 'status', 'privacy', 'lessons_count', 'students_count', 'owner', 'title'] as const
type Listed = Pick<CourseRow, Exclude<(typeof LISTED)[number], 'owner'>> & { readonly owner: string | null }

const PAGE = 1000
const coursesAfter = statement<Listed>(
  `select c.id, c.slug, c.title, c.status, c.privacy, c.lessons_count, c.students_count, u.username as owner
   from courses c left join users u on u.id = c.created_by where c.id > $1 order by c.id limit ${PAGE}`,
)

const listCourses = (terminal: Terminal, json?: true) =>
  withCore(terminal, async ({ services }) => {
    const courses = (await Array.fromAsync(pagesById(PAGE, (after) => coursesAfter(services.database.read, [after])))).flat()
    const rows = courses.map((course) => LISTED.map((column) => String(course[column] ?? '')))
    const heads = LISTED.map((column) => column.replace('_count', '').toUpperCase())
    printResult(terminal, json, courses, textTable(heads, rows))
  })

export const courseCommand = (program: Command, terminal: Terminal, end: (code: number) => void) => {
  const course = program.command('course').description('import, export and list courses')

  course
    .command('import')
    .description('create a course from a folder or archive of Markdown lessons, or from a file of questions')
    .argument('<file>', 'a folder, a .zip, .tar, .tar.gz or .tar.zst archive (also a QTI package), or a .md, .gift or .xml file')
    .option('--owner <user>', 'username or email address of the owner (default: the first administrator)')
    .addOption(new Option('--status <status>', 'overrides the status in the file').choices(COURSE_STATUSES))
    .option('--dry-run', 'read and check everything, but store nothing')
    .option('--json', 'print machine-readable output')
    .action((file: string, options: ImportOptions) => {
      const work = () => importCourse(terminal, file, options, end)
      return options.json ? withJsonErrors(terminal, file, work) : work()
    })

  course
    .command('export')
    .description('write a course in the layout that "import" reads')
    .argument('<course>', 'slug or id')
    .argument('<place>', 'a new or empty folder, or a new .zip, .tar, .tar.gz or .tar.zst file')
    .option('--json', 'print machine-readable output')
    .action((key: string, place: string, options: { json?: true }) => exportCourse(terminal, key, place, options.json))

  course
    .command('list')
    .description('list the courses')
    .option('--json', 'print machine-readable output')
    .action((options: { json?: true }) => listCourses(terminal, options.json))
}
