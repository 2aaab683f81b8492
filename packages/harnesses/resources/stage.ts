import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { lyceumJson } from '#test/command.ts'
import { filePart, form } from '#test/media.ts'
import { SOAK } from '#test/scale.ts'
import { type Connection, connect } from '../kit/connection.ts'
import { startVictim } from '../kit/server-process.ts'
import { type Stage as LoadStage, setStage } from '../load/stage.ts'

export const isShort = SOAK === 1

/** The amount of content: posts for a full page, lessons of a course, and kilobytes of each. */
const POSTS = isShort ? 60 : 100
const POST_KB = 14
const LESSONS = isShort ? 12 : 100
const LESSON_KB = 190

export interface Stage extends LoadStage {
  /** A course with lessons of the maximum length. */
  readonly courseId: number
  /** Credentials of the abusers and of other members. */
  readonly abusers: readonly string[]
  /** A large file of each of the first two, as a server path. */
  readonly files: readonly string[]
  readonly others: readonly string[]
}

/** Of the member `signer`. */
export const PASSWORD = 'Quiet-river-7431'

const picture = (edge: number) =>
  sharp({ create: { width: edge, height: edge, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 30 } } })
    .jpeg()
    .toBuffer()

export const PICTURE = await picture(8)
/** Several megabytes, like a photo from a camera. */
export const LARGE_PICTURE = await picture(isShort ? 2500 : 4000)

/** A document: stored and served unchanged. */
const LARGE_FILE = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes((isShort ? 4 : 9) * 2 ** 20)])

const WORDS = 'A chapter that goes on for longer than anybody wants to read in one go. '
const textOf = (kilobytes: number) => WORDS.repeat(Math.ceil((kilobytes * 1024) / WORDS.length)).slice(0, kilobytes * 1024)

const made = async ({ send }: Connection, path: string, body: object, method = 'POST') => {
  const answer = await send(method, path, body)
  if (!answer || answer.status >= 300)
    throw new Error(`${method} ${path} is answered with ${answer?.status} ${JSON.stringify(answer?.body)}`)
  return answer.body.data
}

const makeCourse = async (admin: Connection): Promise<number> => {
  const course = await made(admin, '/courses', { title: 'Long reads', description: 'To read', status: 'published' })
  const section = await made(admin, `/admin/courses/${course.id}/sections`, { title: 'All of it' })
  for (let n = 1; n <= LESSONS; n++) {
    const lesson = await made(admin, `/admin/courses/${course.id}/lessons`, { section_id: section.id, title: `Part ${n}`, type: 'lesson' })
    const content = `<p>${textOf(LESSON_KB)}</p>`
    await made(admin, `/courses/${course.id}/lessons/${lesson.id}`, { content, status: 'published', is_preview: true }, 'PUT')
  }
  return course.id
}

/** Environment variables of the tested server: a short run has no time to reach the default limits. */
const LIMITED: Readonly<Record<string, string>> = isShort ? { LYCEUM_RESPONSE_BUFFER_MB: '24', LYCEUM_RESPONSE_BUFFER_MEMBER_MB: '8' } : {}

/** Environment variables of a server without these limits, to show that the limits are effective. */
export const UNLIMITED = { LYCEUM_RESPONSE_BUFFER_MB: '65536', LYCEUM_RESPONSE_BUFFER_MEMBER_MB: '65536' }

/** Blocks its main thread for each search, to show that this is detected. */
export const BLOCKING_SERVER = fileURLToPath(new URL('./blocking-server.ts', import.meta.url))

/** The same community on a server with other environment variables, or of another program; stops the former server. */
export const startedAnew = async (stage: Stage, further: Readonly<Record<string, string>>, program?: string): Promise<Stage> => {
  await stage.server.end('SIGKILL')
  const server = await startVictim({ ...stage.env, ...further }, program === undefined ? {} : { program })
  const { origin, port } = new URL(server.base)
  const anew: Stage = { ...stage, server, port: Number(port), crowd: { ...stage.crowd, origin } }
  return {
    ...anew,
    strike: async () => {
      await server.end('SIGKILL')
      await stage.strike()
    },
  }
}

/** Uploads a file; returns the path at which its owner can read it. */
const uploadFile = async ({ server }: LoadStage, authorization: string): Promise<string> => {
  const { type, bytes } = form([filePart(LARGE_FILE, 'file', 'long.pdf')])
  const headers = { authorization, 'content-type': type }
  const response = await fetch(`${server.base}/feeds/media-upload`, { method: 'POST', headers, body: new Uint8Array(bytes) })
  const body = await response.text()
  if (!response.ok) throw new Error(`the upload of a large file is answered with ${response.status} ${body}`)
  return new URL(JSON.parse(body).data.file_url).pathname
}

/** A community with responses of the maximum size, on its own server. */
export const setResources = async (): Promise<Stage> => {
  const stage = await setStage({ further: LIMITED })
  const [admin = '', ...members] = stage.crowd.people
  const connection = connect(stage.server.base, admin)
  for (let n = 1; n <= POSTS; n++) await made(connection, '/feeds', { title: `Long letter ${n}`, message: textOf(POST_KB) })
  const courseId = await makeCourse(connection)
  connection.close()
  await lyceumJson(stage.env, 'user', 'create', '--username', 'signer', '--email', 'signer@example.org', '--password', PASSWORD)
  const abusers = members.slice(0, 8)
  const files = await Promise.all(abusers.slice(0, 2).map((authorization) => uploadFile(stage, authorization)))
  return { ...stage, courseId, abusers, files, others: members.slice(8, 24) }
}
