import type { FastifyReply, FastifyRequest } from 'fastify'
import { plainBody } from '../../cache/json-fragments.ts'
import { nowOf } from '../../core/clock.ts'
import type { ReadContext, Services } from '../../core/context.ts'
import { asRead } from '../../core/read-guard.ts'
import type { UploadedFile } from '../requests/multipart.ts'
import { csvOf, wantsCsv } from '../responses/csv.ts'
import { listeningOf, type OpenStream, type Streaming } from '../responses/event-stream.ts'
import type { LargeAnswers } from '../responses/large-responses.ts'
import { JSON_TYPE, type SendResponse } from '../responses/send-response.ts'
import type { Operation, ResponseRequest } from './operation.ts'

type Reading = ReadContext & ResponseRequest

interface ReadTools {
  readonly services: Services
  readonly sendResponse: SendResponse
  readonly openStream: OpenStream
  readonly large: LargeAnswers
}

/** Runs a read-only operation and responds with JSON, CSV or a stream. */
export const createReadEndpoint = (operation: Operation, { services, sendResponse, openStream, large }: ReadTools) => {
  const { id, route, prepare, handle, keeping, check } = operation
  const { database, clock } = services
  const table = route.csv === undefined ? null : csvOf(route)

  return async (request: FastifyRequest, reply: FastifyReply, sent: unknown, file?: UploadedFile | null) => {
    const input = operation.inputOf(request, sent, file)
    const said = operation.emptyMeta()
    const reading: Reading = {
      db: database.read,
      now: nowOf(clock),
      services: operation.servicesAsOf(request),
      ...operation.requestOf(request, said),
    }
    if (route.produces === 'events') {
      const start = await handle({ ...reading, listening: listeningOf(request) }, input)
      return openStream(request, reply, start as Streaming, check)
    }
    return large.make(request, id, async () => {
      // The handler may run twice, because a replica may become unavailable.
      const read = () =>
        database.reading(async (db) => {
          operation.forget(said)
          const ctx = db === reading.db ? reading : { ...reading, db }
          return handle(ctx, input, prepare ? await prepare(ctx, input) : undefined)
        })
      const result = await (check ? asRead(id, read) : read())
      const { status, headers } = said
      if (!table || !wantsCsv(input.query, request.headers.accept)) {
        const body = operation.bodyOf(result)
        large.note(request, id, body.size)
        return sendResponse(request, reply, { status, headers, body, type: JSON_TYPE, keeping })
      }
      const { text, name } = table(result)
      large.note(request, id, text.length)
      headers.push(['content-disposition', `attachment; filename="${name}"`])
      return sendResponse(request, reply, { status, headers, body: plainBody(text), type: 'text/csv; charset=utf-8', keeping })
    })
  }
}
