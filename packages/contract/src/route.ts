import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Feature } from './features.ts'
import type { WriteLimit } from './limits.ts'
import type { Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who can call a route. The access rules of the modules decide about individual objects.
 * `public`: no credentials. `member`: active accounts. `admin`: administrators. A permission: accounts that have it, for all spaces or some.
 */
export type Access = 'public' | 'member' | 'admin' | Permission

export interface Route {
  readonly method: Method
  /** Path below the API root with parameters in braces: `/feeds/{feed_id}/by-id`. */
  readonly path: string
  readonly access: Access
  /** Error code (403) if `access` denies the request; default: `rest_forbidden`. */
  readonly forbidden?: ErrorCode
  /** The feature that the operation belongs to. While it is disabled, the response is the error of `disabledError`. */
  readonly feature?: Feature
  /** The rate limit that a call counts against, before its body is read; see `writeLimitOf`. */
  readonly writeLimit?: WriteLimit
  readonly summary: string
  readonly description?: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TObject
  /** The fields of the body can also be sent in an object with this name. */
  readonly wrapper?: string
  /** Maximum number of fields and list items of a body at all levels; default: 2,000. */
  readonly maxFields?: number
  readonly response: TSchema
  /** Success status; default: 200. 201 if a POST creates an object and returns its id. */
  readonly status?: 200 | 201
  /** Second success status next to 201, if no object was created: the request is pending, or an existing object was updated or returned. */
  readonly alternateStatus?: 200
  /** Error codes in addition to those that follow from the access and the inputs. */
  readonly errors?: readonly ErrorCode[]
  /** Error codes for missing or invalid body fields, instead of the general ones. */
  readonly fieldErrors?: { readonly [field: string]: ErrorCode }
  /** Error codes for invalid enum values in the query, instead of `invalid_parameter`; `data.allowed_values` contains the valid ones. */
  readonly queryErrors?: { readonly [name: string]: ErrorCode }
  /** `true`: the handler can send other requests of the caller. */
  readonly calls?: true
  /** `false`: a POST that changes nothing and runs without a transaction. */
  readonly write?: false
  /**
   * `multipart`: the body is multipart/form-data with one file in the field `file`. `body` validates the text fields, which are optional
   * strings.
   */
  readonly consumes?: 'multipart'
  /** `events`: the response is a stream of Server-Sent Events; `response` is the schema of one event. */
  readonly produces?: 'events'
  /**
   * The response is available as CSV with `Accept: text/csv` or `?format=csv`, which the query declares: the field with the list of rows, or
   * '' if the response itself is the only row.
   */
  readonly csv?: string
  /**
   * The response contains a credential or another secret. For a GET it has no ETag and is not compressed, so that no cache stores it. For a
   * POST it is not stored for its Idempotency-Key; a repeated request is rejected with 409 `conflict`.
   */
  readonly secret?: true
  /** `ignored`: a session cookie does not authenticate this request and requires no nonce. */
  readonly cookies?: 'ignored'
}

/** Declares an operation. Validation, serialization, the OpenAPI document, handler types and the SDK method are derived from it. */
export const route = <const R extends Route>(definition: R): R => definition

export type Routes = { readonly [name: string]: Route }

type Part<R extends Route, K extends 'params' | 'query' | 'body'> = R[K] extends TSchema ? Static<R[K]> : unknown

export type ParamsOf<R extends Route> = R['params'] extends TSchema ? Static<R['params']> : Record<string, never>
export type QueryOf<R extends Route> = R['query'] extends TSchema ? Static<R['query']> : Record<string, never>
export type BodyOf<R extends Route> = R['body'] extends TSchema ? Static<R['body']> : Record<string, never>
export type ResponseOf<R extends Route> = Static<R['response']>

/** The file of a multipart body. */
type FileOf<R extends Route> = R extends { consumes: 'multipart' } ? { readonly file: Blob; readonly filename?: string } : unknown

/** Input of the SDK method: path parameters, query parameters and body fields in one object. Their names are unique within a route. */
export type InputOf<R extends Route> = Part<R, 'params'> & Part<R, 'query'> & Part<R, 'body'> & FileOf<R>
