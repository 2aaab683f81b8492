import { join } from 'node:path'
import type { Pooler } from './postgres/pool.ts'

/** The location of a community's data, from the configuration. */
export interface DataLocation {
  /** `postgres://…`, a SQLite file (`sqlite:PATH` or a path), or empty: the data directory's own file. */
  readonly url: string
  readonly dataDir: string
  /** The kind of pooler in front of PostgreSQL; none by default. */
  readonly pooler?: Pooler
  /** Bypasses the pooler, for long-lived sessions. */
  readonly directUrl?: string
}

export const resolveDataLocation = ({ url, dataDir }: DataLocation): { readonly server: string } | { readonly file: string } => {
  if (/^postgres(ql)?:\/\//.test(url)) return { server: url }
  return { file: url ? url.replace(/^(sqlite|file):(\/\/)?/, '') : join(dataDir, 'lyceum.db') }
}
