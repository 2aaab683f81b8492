import type { Staging } from '../staging/staging.ts'
import type { Site } from './site.ts'
import type { NameOf } from './text.ts'

/** State that all readers share. */
export interface Context {
  readonly staging: Staging
  /** Table prefix of the site. */
  readonly prefix: string
  readonly site: Site
  readonly nameOf: NameOf
}
