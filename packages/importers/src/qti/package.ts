import { posix } from 'node:path'
import type { QuestionDraft, QuizSettings } from '../course-model.ts'
import { titleFromName } from '../file-names.ts'
import { isQti } from '../quiz-file.ts'
import type { Report } from '../report.ts'
import { decodeText, type Tree } from '../tree.ts'
import { type QtiFile, questionsIn, readQtiFile } from './read-qti.ts'
import { childrenOf, type Element, textOf, within } from './xml.ts'

/** A quiz of a package. Its questions may be in several files. */
export interface PackedQuiz {
  readonly file: string
  readonly title: string
  readonly settings: QuizSettings
  readonly questions: readonly QuestionDraft[]
}

/** The quizzes of a manifest, or of a test without a manifest. */
export interface Package {
  readonly folder: string
  /** The title in the file; may be empty. */
  readonly title: string
  readonly quizzes: readonly PackedQuiz[]
}

interface Reading {
  readonly tree: Tree
  readonly report: Report
  readonly taken: Set<string>
}

const MANIFEST = /(?:^|\/)imsmanifest\.xml$/i
const TEST = /<(?:\w+:)?(?:assessmentTest|qti-assessment-test)[\s>]/
const SAYS_QTI = /^(?:associatedcontent\/)?ims(?:qti|cc)/i
const WEEK = 604_800

const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')

/** Resolves a path in the package; null, after an error, if it is missing or outside. */
const resolved = ({ tree, report }: Reading, from: string, href: string, line: number): string | null => {
  let path = href.replace(/[?#].*$/s, '')
  try {
    path = decodeURIComponent(path)
  } catch {
    // Not URL-encoded: a name with a percent sign.
  }
  const inside = posix.normalize(posix.join(folderOf(from), path))
  if (!inside.startsWith('../') && tree.has(inside)) return inside
  report.error(from, line, `there is no file ${href}`)
  return null
}

const readFile = ({ tree, report, taken }: Reading, path: string): QtiFile | null => {
  taken.add(path)
  const source = decodeText(tree, path, report)
  return source === null ? null : readQtiFile(path, source, report)
}

const questionsOf = (reading: Reading, path: string): QuestionDraft[] => {
  const file = readFile(reading, path)
  return file ? questionsIn(path, file, reading.report).map((question) => ({ ...question, file: path })) : []
}

const settingsOf = (test: Element): QuizSettings => {
  const seconds = Number(childrenOf(test, 'timeLimits')[0]?.attributes['maxTime'])
  return Number.isFinite(seconds) && seconds >= 1 && seconds <= WEEK ? { time_limit: Math.round(seconds) } : {}
}

/** Reads a test and the items that it references, in order. */
const testQuiz = (reading: Reading, path: string, { root }: QtiFile): PackedQuiz => {
  const items = within(root, 'assessmentItemRef').flatMap(({ attributes, line }) => {
    const item = resolved(reading, path, attributes['href'] ?? '', line)
    return item === null ? [] : questionsOf(reading, item)
  })
  const name = titleFromName(path.slice(path.lastIndexOf('/') + 1))
  if (items.length === 0 && !reading.report.errors.some(({ file }) => file === path))
    reading.report.error(path, root.line, 'the test contains no questions')
  return { file: path, title: root.attributes['title'] || name, settings: settingsOf(root), questions: items }
}

/** The distinct resource files of a manifest that may contain questions. */
const resourcesOf = (reading: Reading, manifest: string, root: Element): string[] => {
  const paths = within(root, 'resource').flatMap((resource) => {
    const says = SAYS_QTI.test(resource.attributes['type'] ?? '')
    const files = childrenOf(resource, 'file').map((each) => each.attributes['href'] ?? '')
    const hrefs = [resource.attributes['href'] ?? '', ...files].filter((href) => isQti(href))
    return says ? hrefs.flatMap((href) => resolved(reading, manifest, href, resource.line) ?? []) : []
  })
  return [...new Set(paths)]
}

const titleOf = (root: Element): string => {
  const metadata = childrenOf(root, 'metadata')[0]
  const title = metadata && within(metadata, 'title')[0]
  return title ? textOf(title).replace(/\s+/g, ' ').trim() : ''
}

/** Each test becomes a quiz with its items. The remaining items become one quiz, and each QTI 1.2 file becomes a quiz. */
const manifestPackage = (reading: Reading, manifest: string): Package => {
  const { report } = reading
  const folder = folderOf(manifest)
  const root = readFile(reading, manifest)?.root
  const none = { folder, title: '', quizzes: [] }
  if (!root) return none
  if (root.name !== 'manifest') {
    report.error(manifest, root.line, `<${root.name}> is not the manifest of a package`)
    return none
  }
  const title = titleOf(root)
  const files = resourcesOf(reading, manifest, root).flatMap((path) => {
    const file = readFile(reading, path)
    return file ? [{ path, file }] : []
  })
  const tests = files.filter(({ file }) => file.root.name === 'assessmentTest').map(({ path, file }) => testQuiz(reading, path, file))
  const asked = new Set(tests.flatMap(({ questions }) => questions.map(({ file }) => file)))
  const banks = files
    .filter(({ file }) => file.root.name === 'questestinterop')
    .map(({ path, file }) => ({
      file: path,
      title: file.title || title || titleFromName(path.slice(path.lastIndexOf('/') + 1)),
      settings: {},
      questions: questionsIn(path, file, report),
    }))
  const alone = files
    .filter(({ path, file }) => file.root.name === 'assessmentItem' && !asked.has(path))
    .flatMap(({ path, file }) => questionsIn(path, file, report).map((question) => ({ ...question, file: path })))
  const rest = alone.length > 0 ? [{ file: manifest, title: title || titleFromName(folder) || 'Quiz', settings: {}, questions: alone }] : []
  const quizzes = [...tests, ...banks.filter(({ questions }) => questions.length > 0), ...rest]
  if (quizzes.length === 0 && !report.errors.some(({ file }) => reading.taken.has(file)))
    report.error(manifest, root.line, 'its resources contain no QTI questions')
  return { folder, title, quizzes }
}

/**
 * Reads QTI packages: the files that a manifest lists, and tests without a manifest. `taken` contains the files that must not become
 * separate lessons, including all other files in the folder of a manifest.
 */
export const readPackages = (tree: Tree, report: Report): { packages: Package[]; taken: ReadonlySet<string> } => {
  const reading: Reading = { tree, report, taken: new Set() }
  const packages: Package[] = []
  for (const manifest of [...tree.keys()].filter((path) => MANIFEST.test(path)).sort()) {
    if (reading.taken.has(manifest)) continue
    packages.push(manifestPackage(reading, manifest))
    const folder = folderOf(manifest)
    for (const path of tree.keys()) if ((folder === '' || path.startsWith(`${folder}/`)) && isQti(path)) reading.taken.add(path)
  }
  for (const path of [...tree.keys()].filter((each) => isQti(each) && !reading.taken.has(each)).sort()) {
    if (!TEST.test(tree.get(path)?.toString('latin1', 0, 4096) ?? '')) continue
    const file = readFile(reading, path)
    if (file?.root.name === 'assessmentTest')
      packages.push({ folder: folderOf(path), title: file.title, quizzes: [testQuiz(reading, path, file)] })
  }
  return { packages, taken: reading.taken }
}
