import { type Source, UnreadableSource } from './source.ts'

/** Where the parts of a source are that its place does not contain. */
export interface OpenOptions {
  /** A folder or archive with the uploaded files. */
  readonly uploads?: string
  /** Account of the source's API, for a site's address. */
  readonly user?: string
  readonly password?: string
  /** Folder for temporary files; default: that of the system. */
  readonly temporary?: string
  /** Stops reading. */
  readonly signal?: AbortSignal
}

/** Opens a place: a file, a folder, the URL of a database or of a site. @throws UnreadableSource */
export type OpenSource = (place: string, options: OpenOptions) => Promise<Source>

export const SOURCE_NAMES = ['lyceum', 'fluentcommunity', 'buddypress', 'nodebb', 'discourse', 'csv'] as const
export type SourceName = (typeof SOURCE_NAMES)[number]

/** Readers by the name of their source. Each is loaded when it is needed. */
const READERS: Readonly<Partial<Record<SourceName, () => Promise<OpenSource>>>> = {
  lyceum: async () => (await import('./archive/index.ts')).openArchive,
  nodebb: async () => (await import('./nodebb/open.ts')).openNodebb,
}

const isSourceName = (name: string): name is SourceName => SOURCE_NAMES.includes(name as SourceName)

/** @throws UnreadableSource for an unknown name or a place that cannot be read */
export const openSource = async (name: string, place: string, options: OpenOptions = {}): Promise<Source> => {
  const load = isSourceName(name) ? READERS[name] : undefined
  if (!load) throw new UnreadableSource(`there is no source ${name}; sources are ${Object.keys(READERS).join(', ')}`)
  const open = await load()
  return open(place, options)
}
