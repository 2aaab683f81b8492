import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Feature } from './features.ts'
import type { Pace } from './limits.ts'
import type { Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call a route at all; what they may do to which object is decided by the module's access rules.
 * `public`: no credentials. `member`: any active account. `admin`: administrators. A permission: whoever holds it somewhere.
 */
export type Access = 'public' | 'member' | 'admin' | Permission

export interface Route {
  readonly method: Method
  /** Path below the API root, parameters in braces: `/feeds/{feed_id}/by-id`. */
  readonly path: string
  readonly access: Access
  /** Code of the 403 where `access` refuses; `rest_forbidden` unless said. */
  readonly forbidden?: ErrorCode
  /** Answers pro_feature_required (some a code of their own: `codeWhenOff`) while an administrator has switched this off. */
  readonly feature?: Feature
  /** Which budget of a member a call counts against, before its body is read; see `paceOf`. */
  readonly pace?: Pace
  readonly summary: string
  readonly description?: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TObject
  /** The members of the body may also come in an object of this name. */
  readonly wrapper?: string
  /** Most members that a body may have in all, items of lists among them; 2,000 unless said. */
  readonly members?: number
  readonly response: TSchema
  /** Success status; 200 unless a POST makes a record whose new id it returns (201). */
  readonly status?: 200 | 201
  /** A second success status beside 201: no record was made, since what was asked for waits, or one that was there was changed or taken up. */
  readonly unmade?: 200
  /** Codes of this operation beyond those that its access and inputs imply. */
  readonly errors?: readonly ErrorCode[]
  /** Codes that replace the general ones for an absent or malformed body field. */
  readonly fieldErrors?: { readonly [field: string]: ErrorCode }
  /** Codes that replace invalid_parameter for a query value out of a closed list; `data.allowed_values` tells the list. */
  readonly queryErrors?: { readonly [name: string]: ErrorCode }
  /** `false`: a POST that changes nothing and runs without a transaction. */
  readonly write?: false
  /**
   * `multipart`: the body is multipart/form-data; its text fields are validated by `body`, all of them optional strings, and one file comes
   * with it under the name `file`.
   */
  readonly consumes?: 'multipart'
  /** `events`: the answer is a stream of Server-Sent Events that stays open; `response` is the data of one event. */
  readonly produces?: 'events'
  /**
   * The answer is also given as CSV, to `Accept: text/csv` or `?format=csv` (which the query declares): the member whose items are its rows,
   * or '' for the answer itself as one row.
   */
  readonly csv?: string
  /**
   * The answer holds a credential or another secret. That of a GET is neither tagged nor packed, so that it stays in no cache; that of a POST
   * is not stored for its Idempotency-Key: the same request sent again is refused with 409 `conflict`.
   */
  readonly secret?: true
  /** `ignored`: a session cookie on this request neither authenticates nor needs a nonce. */
  readonly cookies?: 'ignored'
}

/** Declares one operation. Validation, serialisation, OpenAPI, handler types and the SDK method all come from this object. */
export const route = <const R extends Route>(definition: R): R => definition

export type Routes = { readonly [name: string]: Route }

type Part<R extends Route, K extends 'params' | 'query' | 'body'> = R[K] extends TSchema ? Static<R[K]> : unknown

export type ParamsOf<R extends Route> = R['params'] extends TSchema ? Static<R['params']> : Record<string, never>
export type QueryOf<R extends Route> = R['query'] extends TSchema ? Static<R['query']> : Record<string, never>
export type BodyOf<R extends Route> = R['body'] extends TSchema ? Static<R['body']> : Record<string, never>
export type ResponseOf<R extends Route> = Static<R['response']>

/** The file of a multipart body. */
type FileOf<R extends Route> = R extends { consumes: 'multipart' } ? { readonly file: Blob; readonly filename?: string } : unknown

/** What a caller hands to the SDK: path, query and body members in one flat object; their names never collide within a route. */
export type InputOf<R extends Route> = Part<R, 'params'> & Part<R, 'query'> & Part<R, 'body'> & FileOf<R>
