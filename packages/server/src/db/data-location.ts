import { join } from 'node:path'
import type { Pooler } from './postgres/pool.ts'

/** Where a community's data are, as the configuration says. */
export interface DataLocation {
  /** `postgres://…`, a SQLite file (`sqlite:PATH` or a path), or empty: the data directory's own file. */
  readonly url: string
  readonly dataDir: string
  /** What stands before PostgreSQL; nothing where it is not said. */
  readonly pooler?: Pooler
  /** Leads past the pooler, for what needs a session of its own. */
  readonly directUrl?: string
}

export const addressOf = ({ url, dataDir }: DataLocation): { readonly server: string } | { readonly file: string } => {
  if (/^postgres(ql)?:\/\//.test(url)) return { server: url }
  return { file: url ? url.replace(/^(sqlite|file):(\/\/)?/, '') : join(dataDir, 'lyceum.db') }
}
