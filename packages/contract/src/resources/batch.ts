import { route } from '../route.ts'
import { oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

const MAX_BATCH = 25

const Any = (description: string) => Type.Unsafe<unknown>({ description })
const AnyObject = (description: string) => Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

export const batch = {
  run: route({
    method: 'POST',
    path: '/batch',
    access: 'member',
    calls: true,
    summary: 'Run several requests',
    description: `Runs up to ${MAX_BATCH} requests, one after the other, as if each had been sent alone with the credentials of this one: with its own rights, rate limit, status and errors. A request that fails does not undo those before it or prevent those after it. An \`Idempotency-Key\` applies to each of the requests, so that the whole batch can be repeated. Once the responses exceed 4 MB, the requests that are left are not run and get 413 \`batch_too_large\`. Streams, uploads and nested batches are not possible.`,
    body: Type.Object({
      requests: Type.Array(
        Type.Object({
          method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { description: 'HTTP method.' }),
          path: Type.String({
            maxLength: 4000,
            pattern: '^/[\\x21-\\x7e]*$',
            description: 'Path below the API root with the query, such as `/feeds?per_page=5`.',
            examples: ['/feeds?per_page=5'],
          }),
          body: Type.Optional(AnyObject('Body of the request.')),
        }),
        { minItems: 1, maxItems: MAX_BATCH, description: 'The requests, in their order.' },
      ),
    }),
    response: Type.Object({
      responses: Type.Array(
        Type.Object({
          status: Type.Integer({ description: 'HTTP status.' }),
          headers: Type.Unsafe<Record<string, string>>({
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Headers of the response by lower-case name.',
          }),
          body: Any('JSON of the response; null if it has none.'),
        }),
        { description: 'The responses, in the order of the requests.' },
      ),
    }),
    write: false,
  }),
} as const
