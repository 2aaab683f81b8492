import { type OpenOptions, type OpenSource, type Source, UnreadableSource } from './source.ts'

export type { OpenOptions, OpenSource } from './source.ts'

export const SOURCE_NAMES = ['lyceum', 'fluentcommunity', 'buddypress', 'nodebb', 'discourse', 'csv'] as const
export type SourceName = (typeof SOURCE_NAMES)[number]

/** Readers by source name, loaded on first use. */
const READERS: Readonly<Partial<Record<SourceName, () => Promise<OpenSource>>>> = {
  lyceum: async () => (await import('./archive/index.ts')).openArchive,
  fluentcommunity: async () => (await import('./fluentcommunity/open.ts')).openFluentCommunity,
  buddypress: async () => (await import('./buddypress/open.ts')).openBuddypress,
  discourse: async () => (await import('./discourse/open.ts')).openDiscourse,
  csv: async () => (await import('./csv/open.ts')).openCsv,
  nodebb: async () => (await import('./nodebb/open.ts')).openNodebb,
}

const isSourceName = (name: string): name is SourceName => SOURCE_NAMES.includes(name as SourceName)

/** @throws UnreadableSource if the name is unknown or `place` cannot be read */
export const openSource = async (name: string, place: string, options: OpenOptions = {}): Promise<Source> => {
  const load = isSourceName(name) ? READERS[name] : undefined
  if (!load) throw new UnreadableSource(`unknown source ${name}; use one of ${Object.keys(READERS).join(', ')}`)
  const open = await load()
  return open(place, options)
}
