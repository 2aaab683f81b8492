import type { FastifyInstance } from 'fastify'
import type { PageTools } from '../../core/module.ts'
import { sendPage } from '../../http/pages/page-file.ts'
import { mailIdentity } from '../settings/index.ts'
import { certificatePage, unknownCertificatePage } from './certificate-page.ts'
import { certificateByCode } from './queries.ts'
import { viewCertificate } from './view.ts'

/** The public page of a certificate: anybody with the link can open, print and verify it. */
export const certificatePages = (app: FastifyInstance, { services, limits }: PageTools): void => {
  app.get('/certificates/:code', async (request, reply) => {
    await limits.count(request, reply, null)
    const { code } = request.params as { code: string }
    const row = await certificateByCode(services.database.read, code)
    const { brand } = await mailIdentity(services)
    // A certificate can be revoked at any time, so it must not be cached.
    if (row) return sendPage(reply, certificatePage(brand, viewCertificate(row, services.origin())))
    return sendPage(reply, unknownCertificatePage(brand), 404)
  })
}
