import { MAIL_TYPES } from '@lyceum/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WriteContext } from '../../../core/context.ts'
import type { PageTools } from '../../../core/module.ts'
import { statementOne } from '../../../db/index.ts'
import { sendPage } from '../../../http/pages/page-file.ts'
import { mailIdentity } from '../../settings/index.ts'
import { savePreferences } from '../preferences.ts'
import { confirmPage, donePage, unknownPage } from './unsubscribe-page.ts'
import { readUnsubscribeToken, type UnsubscribeClaim, unsubscribeUrl } from './unsubscribe-token.ts'

/** Mail clients send 26 bytes. */
const BODY_LIMIT = 4096

export const preferencesUrl = (origin: string): string => `${origin}/settings/notifications`

const account = statementOne<{ id: number }>("select id from users where id = $1 and status <> 'deleted'")

const ALL_OFF = Object.fromEntries(MAIL_TYPES.map((type) => [type, false]))

/** Turns that kind of mail off. A deleted account gets the same response as an existing one. */
const unsubscribe = async (ctx: WriteContext, { userId, kind }: UnsubscribeClaim): Promise<void> => {
  if (!(await account(ctx.db, [userId]))) return
  await savePreferences(
    { ...ctx, actor: { id: userId } },
    {
      ...(kind !== 'digest' && { email_notifications: kind === 'all' ? ALL_OFF : { [kind]: false } }),
      ...((kind === 'digest' || kind === 'all') && { digest_frequency: 'never' as const }),
    },
  )
}

/**
 * One-click unsubscribe (RFC 8058), outside the API. The link is the only credential; cookies and passwords are ignored. POST unsubscribes
 * whatever its body; GET only asks for confirmation.
 */
export const unsubscribePages = (app: FastifyInstance, { services, write, limits }: PageTools): void => {
  const preferences = () => preferencesUrl(services.origin())

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
      return what ? sendPage(reply, confirmPage(brand, what.kind)) : sendPage(reply, unknownPage(brand, preferences()), 404)
    })

    pages.post('/unsubscribe/:token', async (request, reply) => {
      const { what, brand } = await open(request, reply)
      if (!what) return sendPage(reply, unknownPage(brand, preferences()), 404)
      await write(what.userId, (ctx) => unsubscribe(ctx, what))
      const everything = unsubscribeUrl(services.config.basePath, services.keys.unsubscribing, { ...what, kind: 'all' })
      return sendPage(reply, donePage(brand, what.kind, { preferences: preferences(), everything }))
    })
    done()
  })
}
