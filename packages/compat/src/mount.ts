import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { analyticsHandlers } from './analytics.ts'
import { bulkImportHandlers } from './bulk-imports.ts'
import { type CallTools, callsFor } from './calls.ts'
import { commentHandlers } from './comments.ts'
import { feedHandlers } from './feeds.ts'
import { formFields } from './form.ts'
import { learningHandlers } from './learning.ts'
import { notificationHandlers } from './notifications.ts'
import { type Context, type Fields, type Handler, type Handlers, type Membership, ownHandlers } from './operations.ts'
import { peopleHandlers } from './people.ts'
import { adapt, peopleIn, type Reader } from './records/index.ts'
import { runningHandlers } from './running.ts'
import { spaceHandlers } from './spaces.ts'
import { fieldsOf, isFields } from './values.ts'

type Actor = NonNullable<FastifyRequest['actor']>

interface Lookups {
  /** Summaries of people, as the caller may see them. */
  readonly people: (actor: Actor, ids: readonly number[]) => Promise<ReadonlyMap<number, Fields>>
  readonly memberships: (user_id: number) => Promise<readonly Membership[]>
}

interface Tools extends CallTools, Lookups {
  readonly root: string
  readonly origin: () => string
  readonly now: () => Date
  readonly enter: (
    request: FastifyRequest,
    reply: FastifyReply,
    options: { open: boolean; ignoreCookie: boolean },
    done: (error?: Error) => void,
  ) => void
  readonly acceptMultipart: (scope: FastifyInstance) => void
  readonly parseJsonBody: (bytes: Buffer) => unknown
  readonly refuse: (code: 'rest_no_route' | 'rest_forbidden' | 'method_not_allowed' | 'unsupported_media_type' | 'invalid_data') => Error
}

const WORDPRESS = '/wp-json'
const NAMESPACE = 'fluent-community/v2'

const HANDLERS: Handlers = {
  ...ownHandlers,
  ...feedHandlers,
  ...commentHandlers,
  ...notificationHandlers,
  ...peopleHandlers,
  ...spaceHandlers,
  ...learningHandlers,
  ...bulkImportHandlers,
  ...runningHandlers,
  ...analyticsHandlers,
}
const UPLOAD = 'POST /feeds/media-upload'
/** Methods that PHP clients send in the query of a POST. */
const OVERRIDES = new Set(['PUT', 'PATCH', 'DELETE'])

/** Whether a request comes from another origin. Forms of other sites can send stored credentials without a CORS preflight; JSON cannot. */
const isFromElsewhere = ({ headers }: FastifyRequest, origin: string) => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return (
    headers.origin !== undefined && headers.origin !== new URL(origin).origin && headers.origin.replace(/^https?:\/\//, '') !== headers.host
  )
}

const acceptForms = (scope: FastifyInstance, { origin, parseJsonBody, refuse }: Tools) =>
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (isFromElsewhere(request, origin())) throw refuse('unsupported_media_type')
    const fields = formFields(bytes.toString('utf8'))
    if (!fields) throw refuse('invalid_data')
    return parseJsonBody(Buffer.from(JSON.stringify(fields)))
  })

/** PHP encodes an empty map as an empty list. */
const acceptEmptyLists = (scope: FastifyInstance, { parseJsonBody }: Tools) => {
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, bytes: Buffer) =>
    bytes.length < 8 && bytes.toString().trim() === '[]' ? {} : parseJsonBody(bytes),
  )
}

/** Accepts the session's nonce under WordPress's names. */
const translateNonce = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
  const { headers } = request.raw
  const sent = headers['x-wp-nonce'] ?? fieldsOf(request.query)['_wpnonce']
  if (typeof sent === 'string') headers['x-lyceum-nonce'] ??= sent
  done()
}

/** Sends the totals of a list in WordPress's headers. */
const announceTotals = (reply: FastifyReply, answer: Fields) => {
  for (const list of [answer, ...Object.values(answer)]) {
    if (!isFields(list) || typeof list['total'] !== 'number' || typeof list['per_page'] !== 'number') continue
    reply.header('x-wp-total', list['total']).header('x-wp-totalpages', Math.ceil(list['total'] / list['per_page']))
    return
  }
}

const only = (answer: Fields, names: unknown) =>
  typeof names === 'string' && names !== ''
    ? Object.fromEntries(Object.entries(answer).filter(([name]) => names.split(',').some((field) => field.trim().split('.')[0] === name)))
    : answer

const routesByPath = () =>
  Map.groupBy(
    Object.keys(HANDLERS).map((key) => key.split(' ') as [string, string]),
    ([, path]) => path,
  )

const routeIndex = () =>
  Object.fromEntries(
    [...routesByPath()].map(([path, routes]) => {
      const methods = routes.map(([method]) => method)
      return [
        `/${NAMESPACE}${path.replace(/\{(\w+)\}/g, '(?P<$1>[^/]+)')}`,
        { namespace: NAMESPACE, methods, endpoints: [{ methods, args: {} }] },
      ]
    }),
  )

/** WordPress's discovery endpoints, which describe the site and its APIs and need no credentials. */
const mountDiscovery = (scope: FastifyInstance, tools: Tools) => {
  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) =>
    tools.enter(request, reply, { open: true, ignoreCookie: true }, done)
  scope.get('/', { onRequest }, async (request, reply) => {
    const { data } = (await callsFor(tools, request, reply)('settings.public')) as { data: Record<string, string> }
    const origin = tools.origin()
    const site = {
      name: data['site_name'],
      description: data['site_description'],
      url: origin,
      home: origin,
      gmt_offset: 0,
      timezone_string: data['timezone'],
      namespaces: [NAMESPACE],
      authentication: { 'application-passwords': { endpoints: { authorization: `${origin}/account/app-passwords` } } },
      routes: { [`/${NAMESPACE}`]: { namespace: NAMESPACE, methods: ['GET'] } },
    }
    return only(site, fieldsOf(request.query)['_fields'])
  })
  scope.get(`/${NAMESPACE}`, { onRequest }, async (request) =>
    only({ namespace: NAMESPACE, routes: routeIndex() }, fieldsOf(request.query)['_fields']),
  )
}

const contextOf = (request: FastifyRequest, reply: FastifyReply, tools: Tools): Context => ({
  params: request.params as Context['params'],
  query: request.query as Context['query'],
  body: fieldsOf(request.body),
  call: callsFor(tools, request, reply) as Context['call'],
  me: request.actor?.username ?? '',
  myId: request.actor?.id ?? 0,
  memberships: tools.memberships,
  origin: tools.origin(),
  now: tools.now(),
  refuse: tools.refuse,
})

/** The handler for the method that the query of a POST requests. */
const handlerOf = (request: FastifyRequest, method: string, path: string): Handler | undefined => {
  const { _method } = request.query as Context['query']
  const wanted = method === 'POST' && _method ? _method.toUpperCase() : method
  return wanted === method || OVERRIDES.has(wanted) ? HANDLERS[`${wanted} ${path}`] : HANDLERS[`${method} ${path}`]
}

const readerOf = async (answer: object, { actor, originalUrl, query }: FastifyRequest, { origin, people }: Tools): Promise<Reader> => {
  const ids = [...peopleIn(answer)]
  return {
    origin: origin(),
    path: origin() + originalUrl.split('?', 1)[0],
    query: fieldsOf(query),
    people: actor && ids.length > 0 ? await people(actor, ids) : new Map(),
  }
}

const mountHandlers = (scope: FastifyInstance, tools: Tools, keys: readonly string[]) => {
  for (const key of keys) {
    const [method = '', path = ''] = key.split(' ')
    scope.route({
      method,
      url: `/${NAMESPACE}${path.replace(/\{([^}]+)\}/g, ':$1')}`,
      onRequest: (request, reply, done) => tools.enter(request, reply, { open: false, ignoreCookie: false }, done),
      handler: async (request, reply) => {
        const handler = handlerOf(request, method, path)
        if (!handler) throw tools.refuse('method_not_allowed')
        const found = await handler(contextOf(request, reply, tools))
        const answer = adapt(found, await readerOf(found, request, tools)) as Fields
        announceTotals(reply, answer)
        return answer
      },
    })
  }
}

/**
 * The API of FluentCommunity 2. It responds in the format that its clients expect, by calling operations of Lyceum with the identity,
 * permissions and limits of the caller.
 */
export const FLUENT_COMMUNITY = {
  root: `${WORDPRESS}/${NAMESPACE}`,
  mount: async (app: FastifyInstance, tools: Tools): Promise<void> => {
    await app.register(
      (scope, _options, ready) => {
        scope.addHook('onRequest', translateNonce)
        scope.addHook('onRequest', (request, reply, done) => {
          if (request.is404) tools.enter(request, reply, { open: false, ignoreCookie: false }, done)
          else done()
        })
        scope.addHook('onSend', (_request, reply, _payload, done) => {
          if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
          done()
        })
        acceptEmptyLists(scope, tools)
        acceptForms(scope, tools)
        mountDiscovery(scope, tools)
        mountHandlers(
          scope,
          tools,
          Object.keys(HANDLERS).filter((key) => key !== UPLOAD),
        )
        scope.register((uploads, _options, done) => {
          tools.acceptMultipart(uploads)
          mountHandlers(uploads, tools, [UPLOAD])
          done()
        })
        scope.setNotFoundHandler(() => {
          throw tools.refuse('rest_no_route')
        })
        ready()
      },
      { prefix: WORDPRESS },
    )
  },
}
