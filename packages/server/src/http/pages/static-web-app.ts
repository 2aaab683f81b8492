import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PACKAGE_FOLDER } from '../../util/package-root.ts'
import { compressAsset, lazily, sendCompressedAsset } from '../responses/compressed-asset.ts'

/** Folder of the web app that was built together with this program; null if it runs from its sources, which any build may be older than. */
export const builtWebApp = (): string | null => (import.meta.url.endsWith('.ts') ? null : join(PACKAGE_FOLDER, 'dist/web'))

/** The page contacts only its own server. Images of other sites are proxied, except from these hosts; videos load on play. */
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
/** Folder of files whose name contains a hash of their content. */
const NAMED_BY_CONTENT = 'assets/'
const YEAR = 'public, max-age=31536000, immutable'
const LOOK = 'public, no-cache'

/** Paths of files, for which the page is never a fallback. */
const OF_A_FILE = /^\/assets\/|\.[a-z0-9]{1,8}$/i

/** Link preview bots accept any type. They get the page, except for paths of files. */
const wantsPage = ({ method, headers: { accept = '*/*' }, url }: FastifyRequest) => {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/\btext\/html\b/.test(accept)) return true
  return /^\s*\*\/\*/.test(accept) && !OF_A_FILE.test(url.split('?', 1)[0] ?? '')
}

interface WebApp {
  readonly folder: string
  /** Another page to show for a request; null for the page of the app. */
  readonly instead?: Page
  /** Path below which the public reaches the app; empty: the whole host. */
  readonly basePath: string
  /** Roots of the API; the app uses the first. */
  readonly roots: readonly string[]
  /** Hosts other than this server that may serve images. */
  readonly pictureHosts: readonly string[]
}

/** Responds with a page; null if there is none for the request. */
export type Page = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | null>

/** Serves the files of the web app, and its page for every path without another handler. */
export const registerWebApp = (app: FastifyInstance, { folder, basePath, instead, roots, pictureHosts }: WebApp): Page => {
  const policy = policyFor(pictureHosts)
  const read = (name: string) =>
    lazily(() => compressAsset(TYPES[name.split('.').pop() ?? ''] ?? 'application/octet-stream', readFileSync(join(folder, name))))
  const send = (name: string, file: ReturnType<typeof read>) => async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', name.startsWith(NAMED_BY_CONTENT) ? YEAR : LOOK)
    // The home page, which has no slash at its end, lies above the folder of the worker.
    if (name === 'sw.js' && basePath) reply.header('service-worker-allowed', basePath)
    return sendCompressedAsset(request, reply, await file())
  }
  const assets = new Map<string, ReturnType<typeof send>>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.includes('.') || name === SHELL) continue
    const answer = send(name, read(name))
    if (name.startsWith(NAMED_BY_CONTENT)) assets.set(name.slice(NAMED_BY_CONTENT.length), answer)
    else app.get(`/${name}`, answer)
  }
  // A route for each of hundreds of files would take a tenth of the start.
  app.get<{ Params: { '*': string } }>(`/${NAMED_BY_CONTENT}*`, async (request, reply) => {
    const answer = assets.get(request.params['*'])
    return answer ? answer(request, reply) : reply.callNotFound()
  })
  const page = lazily(() =>
    compressAsset(
      'text/html; charset=utf-8',
      readFileSync(join(folder, SHELL), 'utf8')
        .replace('content="/api/v2"', `content="${basePath}${roots[0]}"`)
        .replace('name="base-path" content=""', `name="base-path" content="${basePath}"`)
        // The build addresses its files relative to the page, which is served at every path.
        .replaceAll('="./', `="${basePath}/`),
    ),
  )
  return async (request, reply) => {
    if (!wantsPage(request) || roots.some((root) => request.url === root || request.url.startsWith(`${root}/`))) return null
    const other = await instead?.(request, reply)
    if (other) return other
    reply.header('cache-control', LOOK).header('content-security-policy', policy).header('referrer-policy', 'same-origin')
    // Isolates the window from a site that opened it.
    reply.header('cross-origin-opener-policy', 'same-origin')
    return sendCompressedAsset(request, reply, await page())
  }
}
