import Fastify, { type FastifyInstance } from 'fastify'
import { lazily, sendZipped, zip } from '../responses/compressed-asset.ts'

const SCRIPT = '/docs/scalar.js'

/** Only what this server sends is loaded, and answers of this server alone can be asked for. */
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

/** Without what would ask another host: fonts, telemetry, and the assistants and editors of its makers. */
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

/** The reference's script, which its plug-in carries inside; loaded when it is first wanted, since it is 4 MB of text. */
const loadScript = async () => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const carrier = Fastify()
  carrier.register(scalar, { routePrefix: '/docs', configuration: { content: {} } })
  const { payload } = await carrier.inject('/docs/js/scalar.js')
  await carrier.close()
  return zip('text/javascript; charset=utf-8', payload)
}

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const page = (apiRoot: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lyceum API</title>
<link rel="icon" href="data:,">
</head>
<body>
<script id="api-reference" type="application/json" data-url="${apiRoot}/openapi.json" data-configuration="${attribute(JSON.stringify(CONFIGURATION))}"></script>
<script src="${SCRIPT}"></script>
</body>
</html>
`

/** `/docs`: the interactive reference, from files of our own. */
export const registerDocs = (app: FastifyInstance, apiRoot: string) => {
  const script = lazily(loadScript)
  app.get('/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', CSP)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .send(page(apiRoot)),
  )

  app.get(SCRIPT, async (request, reply) => sendZipped(request, reply.header('cache-control', 'public, max-age=3600'), await script()))
}
