import { COURSE_STATUSES } from '@lyceum/contract'
import type { ImportOptions } from '@lyceum/transfer/course'
import { type Command, Option } from 'commander'
import { type CourseRow, statement } from '../db/index.ts'
import { pagesById } from '../util/pages-by-id.ts'
import { withCore } from './bootstrap.ts'
import { textTable } from './table.ts'
import { printResult, type Terminal } from './terminal.ts'

/** Readers and packers: only these commands load them. */
const transfer = () => import('@lyceum/transfer/course')

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
    .action(async (file: string, options: ImportOptions) => (await transfer()).importCourse(terminal, file, options, end))

  course
    .command('export')
    .description('write a course in the layout that "import" reads')
    .argument('<course>', 'slug or id')
    .argument('<place>', 'a new or empty folder, or a new .zip, .tar, .tar.gz or .tar.zst file')
    .option('--json', 'print machine-readable output')
    .action(async (key: string, place: string, { json }: { json?: true }) => (await transfer()).exportCourse(terminal, key, place, json))

  course
    .command('list')
    .description('list the courses')
    .option('--json', 'print machine-readable output')
    .action(({ json }: { json?: true }) => listCourses(terminal, json))
}
