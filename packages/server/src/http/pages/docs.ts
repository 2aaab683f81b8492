import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { htmlTemplate } from '../../util/html-template.ts'
import { compressAsset, lazily, sendCompressedAsset } from '../responses/compressed-asset.ts'

const SCRIPT = '/docs/scalar.js'

/** Allows only resources and requests of this server. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Disables everything that would contact another host: fonts, telemetry, and the vendor's assistants and editors. */
const CONFIGURATION = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'json',
  operationTitleSource: 'summary',
  orderRequiredPropertiesFirst: false,
  orderSchemaPropertiesBy: 'preserve',
  authentication: { preferredSecurityScheme: 'basic' },
  customCss: ':root { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, SFMono-Regular, Menlo, monospace }',
}

/** The script of the reference, which its plug-in contains; loaded on first use because it has 4 MB. */
const loadScript = async () => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const carrier = Fastify()
  carrier.register(scalar, { routePrefix: '/docs', configuration: { content: {} } })
  const { payload } = await carrier.inject('/docs/js/scalar.js')
  await carrier.close()
  return compressAsset('text/javascript; charset=utf-8', payload)
}

const page = htmlTemplate('pages/docs.html')

/** `/docs`: the interactive API reference, served from local files. */
export const registerDocs = (app: FastifyInstance, { basePath, apiRoot }: Pick<Config, 'basePath' | 'apiRoot'>) => {
  const script = lazily(loadScript)
  app.get('/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', CSP)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .send(page({ api_root: basePath + apiRoot, configuration: JSON.stringify(CONFIGURATION), script: basePath + SCRIPT })),
  )

  app.get(SCRIPT, async (request, reply) =>
    sendCompressedAsset(request, reply.header('cache-control', 'public, max-age=3600'), await script()),
  )
}
