import type { FastifyInstance } from 'fastify'
import type { PageTools } from '../../core/module.ts'
import { mailIdentity } from '../settings/index.ts'
import { certificatePage, unknownCertificatePage } from './certificate-page.ts'
import { certificateByCode } from './queries.ts'
import { viewCertificate } from './view.ts'

const CODE = /^[0-9a-f]{32}$/

/** The public page of a certificate: anybody with the link can open, print and verify it. */
export const certificatePages = (app: FastifyInstance, { services, limits }: PageTools): void => {
  app.get('/certificates/:code', async (request, reply) => {
    await limits.count(request, reply, null)
    const { code } = request.params as { code: string }
    const row = CODE.test(code) ? await certificateByCode(services.database.read, [code]) : undefined
    const { brand } = await mailIdentity(services)
    const { html, policy } = row ? certificatePage(brand, viewCertificate(row, services.origin())) : unknownCertificatePage(brand)
    return (
      reply
        .code(row ? 200 : 404)
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy)
        // A certificate can be revoked at any time.
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .send(html)
    )
  })
}
