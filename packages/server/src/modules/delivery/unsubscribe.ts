import { MAIL_TYPES } from '@lyceum/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WriteContext } from '../../core/context.ts'
import type { PageTools } from '../../core/module.ts'
import { statementOne } from '../../db/index.ts'
import { savePreferences } from '../notifications/index.ts'
import { mailIdentity } from '../settings/index.ts'
import { askPage, donePage, type Page, unknownPage } from './unsubscribe-page.ts'
import { readUnsubscribeToken, type Unsubscribing, unsubscribeUrl } from './unsubscribe-token.ts'

/** Larger bodies are refused; the one that mail programs send has 26 bytes. */
const BODY_LIMIT = 4096

export const preferencesUrl = (origin: string): string => `${origin}/settings/notifications`

const account = statementOne<{ id: number }>("select id from users where id = $1 and status <> 'deleted'")

const OFF = Object.fromEntries(MAIL_TYPES.map((type) => [type, false]))

/** Switches that kind of mail off. An account that is gone needs nothing, and is not told from one that is there. */
const unsubscribe = async (ctx: WriteContext, { userId, kind }: Unsubscribing): Promise<void> => {
  if (!(await account(ctx.db, [userId]))) return
  await savePreferences(
    { ...ctx, actor: { id: userId } },
    {
      ...(kind !== 'digest' && { email_notifications: kind === 'all' ? OFF : { [kind]: false } }),
      ...((kind === 'digest' || kind === 'all') && { digest_frequency: 'never' as const }),
    },
  )
}

/**
 * One-click unsubscribing as RFC 8058 has it, outside the API: the link alone decides, no cookie or password is looked at. POST acts whatever
 * its body says; GET only asks.
 */
export const unsubscribePages = (app: FastifyInstance, { services, write, limits }: PageTools): void => {
  const preferences = () => preferencesUrl(services.origin())

  const send = (reply: FastifyReply, { html, policy }: Page, status = 200) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      // The address is a credential of a kind: it must reach neither caches nor other sites.
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .send(html)

  const open = async (request: FastifyRequest, reply: FastifyReply) => {
    await limits.count(request, reply, null)
    const { token } = request.params as { token: string }
    return { what: readUnsubscribeToken(services.keys.unsubscribing, token), brand: (await mailIdentity(services)).brand }
  }

  app.register((pages, _options, done) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, async () => undefined)

    pages.get('/unsubscribe/:token', async (request, reply) => {
      const { what, brand } = await open(request, reply)
      return what ? send(reply, askPage(brand, what.kind)) : send(reply, unknownPage(brand, preferences()), 404)
    })

    pages.post('/unsubscribe/:token', async (request, reply) => {
      const { what, brand } = await open(request, reply)
      if (!what) return send(reply, unknownPage(brand, preferences()), 404)
      await write(what.userId, (ctx) => unsubscribe(ctx, what))
      const everything = unsubscribeUrl('', services.keys.unsubscribing, { ...what, kind: 'all' })
      return send(reply, donePage(brand, what.kind, { preferences: preferences(), everything }))
    })
    done()
  })
}
