import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import type { RawAnswer, World } from '#test/world.ts'
import type { Payload } from '#test/xss-payloads/index.ts'
import { unsubscribeToken } from '../../server/src/modules/notifications/delivery/unsubscribe-token.ts'
import type { Sent } from './browser.ts'
import { FORMATS, type Stage } from './fields.ts'

const isHtml = ({ headers }: RawAnswer) => /html|xml/.test(headers.get('content-type') ?? '')

/** A response as a browser would load it, if the browser would treat it as a page. */
const asPage = (world: World, path: string, answer: RawAnswer): Sent[] =>
  isHtml(answer)
    ? [{ from: path, html: answer.text, policy: answer.headers.get('content-security-policy'), url: new URL(path, world.origin).href }]
    : []

/** Pages of the server with a text in their URLs; other responses must not be loaded as pages by a browser. */
export const pagesAt = async ({ world }: Stage, text: string): Promise<{ pages: Sent[]; faults: string[] }> => {
  const coded = encodeURIComponent(text.toWellFormed())
  const pages: Sent[] = []
  const faults: string[] = []
  for (const path of [
    `/reset-password?token=${coded}`,
    `/verify-email?token=${coded}&x=${coded}`,
    `/setup?token=${coded}`,
    `/forgot-password?${coded}`,
    `/certificates/${coded}`,
    `/unsubscribe/${coded}`,
    `/${coded}`,
    `/?${coded}`,
    `/media/${coded}/${coded}`,
    `/api/${coded}`,
  ]) {
    const answer = await world.request('GET', `/${path}`)
    pages.push(...asPage(world, path, answer))
    const inert =
      isHtml(answer) ||
      (/^application\/json|^text\/plain/.test(answer.headers.get('content-type') ?? '') &&
        answer.headers.get('x-content-type-options') === 'nosniff')
    if (!inert || answer.status >= 500) faults.push(`${answer.status} ${answer.headers.get('content-type')} of ${path}`)
  }
  return { pages, faults }
}

/** Pages that show a member's course, name and mail. */
export const pagesAbout = async ({ world, author, scene }: Stage): Promise<Sent[]> => {
  const { courseId, lessons } = scene.school
  for (const lesson of lessons) await author.raw('POST', `/courses/${courseId}/lessons/${lesson}/complete`)
  const { body } = await author.raw('GET', `/courses/${courseId}/certificate`)
  const token = unsubscribeToken(world.app.services.keys.unsubscribing, { userId: author.id, kind: 'mention' })
  const pages: Sent[] = []
  for (const path of [`/certificates/${body?.data?.certificate_id}`, `/unsubscribe/${token}`]) {
    pages.push(...asPage(world, path, await world.request('GET', `/${path}`)))
  }
  return pages
}

/** The HTML of the mails sent since the last call. */
const takeMails = async (world: World): Promise<Sent[]> => {
  const folder = join(world.app.services.config.dataDir, 'outbox')
  const taken: Sent[] = []
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.eml'))) {
    const { subject = '', html } = await PostalMime.parse(readFileSync(join(folder, name)))
    rmSync(join(folder, name))
    if (html) taken.push({ from: `mail “${subject.slice(0, 80)}”`, html, policy: null })
  }
  return taken
}

const DAY = 24 * 3600

/** Mails about a member whose name, posts and comments are these texts, and the digest of the posts. */
export const mailsAbout = async (stage: Stage, payloads: readonly Payload[]): Promise<Sent[]> => {
  const { world, author, scene } = stage
  const { other } = scene
  const mails: Sent[] = []
  for (const [i, { text }] of payloads.entries()) {
    const content_type = FORMATS[i % FORMATS.length] as (typeof FORMATS)[number]
    await other.raw('POST', '/profile/me', { display_name: [...text].slice(0, 60).join('') })
    const feed = await author.raw('POST', '/feeds', { title: [...text].slice(0, 190).join(''), message: `${text} x`, content_type })
    const id = feed.body?.data?.id
    if (id === undefined) continue
    await other.raw('POST', `/feeds/${id}/comments`, { comment: `${text} @${author.username}`, content_type })
    await other.raw('POST', `/feeds/${id}/react`, { type: 'like' })
    await world.runPendingJobs()
    mails.push(...(await takeMails(world)))
  }
  for (let day = 0; day < 8; day++) {
    world.clock.advance(DAY)
    await world.app.digests.run()
  }
  await world.runPendingJobs()
  return [...mails, ...(await takeMails(world))]
}
