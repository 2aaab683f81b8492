import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGES = join(import.meta.dirname, '../..')

/** Modules that send requests to user-supplied addresses, and the sinks (in `sinks.ts`) that test them. */
export const CALLERS: Readonly<Record<string, readonly string[]>> = {
  'modules/webhooks/deliver.ts': ['webhook test', 'webhook delivery'],
  'modules/moderation/moderator-alerts.ts': ['chat notice'],
  'modules/notifications/delivery/push-jobs.ts': ['push message'],
  'modules/media/previews/index.ts': ['link preview'],
  'modules/media/remote.ts': ['remote picture'],
  'modules/media/previews/fetch.ts': ['link preview', 'redirect of a page', 'description of a page'],
}

/** Modules that connect to addresses set by the operator, and the setting; no other address reaches them. */
export const OPERATORS: Readonly<Record<string, string>> = {
  'modules/gif/provider.ts': 'LYCEUM_GIF_API_URL',
  'storage/s3.ts': 'LYCEUM_S3_URL',
  'mail/transport.ts': 'LYCEUM_SMTP_URL',
  'cluster/redis.ts': 'LYCEUM_REDIS_URL',
}

/** The client itself, and the database connections. */
const OWN = /^(outbound|db)\//
const PASSES_ON = new Set(['app.ts', 'core/context.ts'])

const CLIENTS =
  /\boutbound\b|\bproviders\.request|\bproviders\b\s*(?:[,)]|\}.*(?:services|Services))|\b(?:createOutbound|createConnector)\(/
const LIBRARIES =
  /from '(?:node:)?(?:net|tls|http|https|http2|dgram|dns|dns\/promises|child_process|undici)'|'(?:undici|nodemailer|ioredis|node-fetch|axios|got|ws)'/
const GLOBALS = /(?<![\w.])(?:fetch|WebSocket|EventSource)\(/

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
const withoutTypes = (text: string) => text.replace(/^import type .*$/gm, '').replace(/^import \{ (?:type \w+,? ?)+\} .*$/gm, '')

/** Files that use an outbound client or could open a connection in another way. */
export const outgoingFiles = (files: ReadonlyMap<string, string>): string[] =>
  [...files]
    .filter(([path]) => !OWN.test(path) && !PASSES_ON.has(path))
    .filter(([, text]) => {
      const code = withoutTypes(withoutComments(text))
      const calls = code.replace(/^import .*$/gm, '')
      return CLIENTS.test(calls) || LIBRARIES.test(code) || GLOBALS.test(calls)
    })
    .map(([path]) => path)
    .sort()

/** The sources of the server by their path below `src`, and those of the mail package as `mail/…`. */
export const readSources = (): ReadonlyMap<string, string> =>
  new Map(
    globSync('{server,mail}/src/**/*.ts', { cwd: PACKAGES })
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => [
        path
          .replaceAll('\\', '/')
          .replace(/^server\/src\//, '')
          .replace(/^mail\/src\//, 'mail/'),
        readFileSync(join(PACKAGES, path), 'utf8'),
      ]),
  )
