import type { FastifyInstance } from 'fastify'
import type { Services } from '../../core/context.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Days until the file expires; RFC 9116 recommends less than a year. */
const EXPIRES_DAYS = 180

/** Well-known URLs: the security contact (RFC 9116) and the page for changing the password. */
export const registerWellKnown = (app: FastifyInstance, { config, clock, origin }: Services, hasWebApp: boolean) => {
  if (config.securityContact.length > 0) {
    app.get('/.well-known/security.txt', async (_request, reply) => {
      const day = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS
      const lines = [
        ...config.securityContact.map((contact) => `Contact: ${contact}`),
        `Expires: ${new Date(day + EXPIRES_DAYS * DAY_MS).toISOString()}`,
        `Canonical: ${origin()}/.well-known/security.txt`,
      ]
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'public, no-cache')
        .send(`${lines.join('\n')}\n`)
    })
  }
  if (hasWebApp) app.get('/.well-known/change-password', (_request, reply) => reply.redirect(`${config.basePath}/account/security`, 302))
}
