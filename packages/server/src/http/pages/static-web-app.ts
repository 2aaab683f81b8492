import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PACKAGE_FOLDER } from '../../util/package-root.ts'
import { lazily, sendZipped, zip } from '../responses/compressed-asset.ts'

/** Where a build leaves the web app; null where it was not built. */
export const builtWebApp = (): string | null => {
  const folder = join(PACKAGE_FOLDER, 'dist/web')
  return existsSync(join(folder, 'index.html')) ? folder : null
}

/**
 * The page runs its own files alone, and talks to its own server alone. Pictures of other sites come through the server, except from the hosts
 * named here; films are loaded when somebody plays them.
 */
const policyFor = (pictureHosts: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...pictureHosts.map((host) => `https://${host}`)].join(' '),
    "media-src 'self' blob: https:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
}
const SHELL = 'index.html'
/** Files whose name tells what is in them. */
const NAMED_BY_CONTENT = /^assets\//
const YEAR = 'public, max-age=31536000, immutable'
const LOOK = 'public, no-cache'

/** Addresses of files, where nothing but that file can be meant. */
const OF_A_FILE = /^\/assets\/|\.[a-z0-9]{1,8}$/i

/** Programs that preview links accept anything: they get the page, except at addresses of files. */
const wantsPage = ({ method, headers: { accept = '*/*' }, url }: FastifyRequest) => {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/\btext\/html\b/.test(accept)) return true
  return /^\s*\*\/\*/.test(accept) && !OF_A_FILE.test(url.split('?', 1)[0] ?? '')
}

export interface WebApp {
  readonly folder: string
  /** Where the API answers; the app asks at the first. */
  readonly roots: readonly string[]
  /** Where pictures may be loaded from beside this server. */
  readonly pictureHosts: readonly string[]
}

/** Answers with the app's page; null where the request wants something else. */
export type Page = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | null>

/**
 * Serves the files of the web app, and its page for every address that nothing else answers.
 */
export const registerWebApp = (app: FastifyInstance, { folder, roots, pictureHosts }: WebApp): Page => {
  const policy = policyFor(pictureHosts)
  const read = (name: string) =>
    lazily(() => zip(TYPES[name.split('.').pop() ?? ''] ?? 'application/octet-stream', readFileSync(join(folder, name))))
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.includes('.') || name === SHELL) continue
    const file = read(name)
    app.get(`/${name}`, async (request, reply) =>
      sendZipped(request, reply.header('cache-control', NAMED_BY_CONTENT.test(name) ? YEAR : LOOK), await file()),
    )
  }
  const page = lazily(() =>
    zip('text/html; charset=utf-8', readFileSync(join(folder, SHELL), 'utf8').replace('content="/api/v2"', `content="${roots[0]}"`)),
  )
  return async (request, reply) => {
    if (!wantsPage(request) || roots.some((root) => request.url === root || request.url.startsWith(`${root}/`))) return null
    reply.header('cache-control', LOOK).header('content-security-policy', policy).header('referrer-policy', 'same-origin')
    // A site that opened this one can neither watch its window nor lead it elsewhere.
    reply.header('cross-origin-opener-policy', 'same-origin')
    return sendZipped(request, reply, await page())
  }
}
