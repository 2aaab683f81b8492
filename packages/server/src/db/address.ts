import { join } from 'node:path'

/** Where a community's data are, as the configuration says. */
export interface Place {
  /** `postgres://…`, a SQLite file (`sqlite:PATH` or a path), or empty: the data directory's own file. */
  readonly url: string
  readonly dataDir: string
}

export const addressOf = ({ url, dataDir }: Place): { readonly server: string } | { readonly file: string } => {
  if (/^postgres(ql)?:\/\//.test(url)) return { server: url }
  return { file: url ? url.replace(/^(sqlite|file):(\/\/)?/, '') : join(dataDir, 'lyceum.db') }
}
