import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { htmlTemplate } from '../../util/html-template.ts'

export interface Page {
  readonly html: string
  /** A Content-Security-Policy that allows only the inline style and script of the page. */
  readonly policy: string
}

const policyOf = (html: string, directives: readonly string[]): string => {
  const inline = (['script', 'style'] as const).flatMap((tag) => {
    const start = html.indexOf(`<${tag}>`)
    const text = html.slice(start + tag.length + 2, html.indexOf(`</${tag}>`))
    return start < 0 ? [] : `${tag}-src 'sha256-${hash('sha256', text, 'base64')}'`
  })
  return ["default-src 'none'", ...inline, ...directives, "frame-ancestors 'none'", "base-uri 'none'"].join('; ')
}

/** A renderer for a page among the data files of the package; `directives` are added to its policy. */
export const pageFile = (name: string, ...directives: readonly string[]) => {
  const render = htmlTemplate(`pages/${name}`)
  return (view: object): Page => {
    const html = render(view)
    return { html, policy: policyOf(html, directives) }
  }
}

/** Sends a page whose URL may contain a token: it must reach neither caches nor other sites. */
export const sendPage = (reply: FastifyReply, { html, policy }: Page, status = 200): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send(html)
