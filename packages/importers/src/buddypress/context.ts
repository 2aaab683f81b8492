import type { Staging } from '../staging/staging.ts'
import type { Site } from './site.ts'
import type { NameOf } from './text.ts'

/** What the readers of all kinds share. */
export interface Context {
  readonly staging: Staging
  /** Prefix of the tables of the site. */
  readonly prefix: string
  readonly site: Site
  readonly nameOf: NameOf
}
