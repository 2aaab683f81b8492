import type { Answers, Inputs } from '@lyceum/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/client.ts'
import { nextPage } from '../../../lib/pagination.ts'
import { keys } from '../../../lib/query-keys.ts'

export type Platform = Answers['migrations']['list']['migrations'][number]
export type Source = Platform['id']
export type Config = Answers['migrations']['config']['config']
export type Run = NonNullable<Answers['migrations']['status']['migration']>
export type Item = Inputs['migrations']['start']['items'][number]
export type ReportEntry = Answers['migrations']['report']['data'][number]

/** Platforms whose sites can be read over their API. */
export const WITH_SITE: ReadonlySet<Source> = new Set(['fluentcommunity', 'discourse'])

/** How often the progress of an import is read. */
const POLL_MS = 1500

export const platformsQuery = queryOptions({
  queryKey: keys.admin.imports,
  queryFn: async ({ signal }) => (await client.migrations.list({}, { signal })).migrations,
  staleTime: 0,
})

export const configQuery = (source: Source) =>
  queryOptions({
    queryKey: keys.admin.importConfig(source),
    queryFn: async ({ signal }) => (await client.migrations.config({ source }, { signal })).config,
    staleTime: 0,
  })

/** The latest import or dry run of a source; null if there was none. */
export const runQuery = (source: Source) =>
  queryOptions({
    queryKey: keys.admin.importRun(source),
    queryFn: async ({ signal }) => (await client.migrations.status({ source }, { signal })).migration,
    refetchInterval: ({ state: { data } }) => (data?.status === 'in_progress' ? POLL_MS : false),
    staleTime: 0,
  })

export const reportQuery = (source: Source, run: number) =>
  infiniteQueryOptions({
    queryKey: keys.admin.importReport(source, run),
    queryFn: ({ pageParam, signal }) => client.migrations.report({ source, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => nextPage(meta),
  })

const REPORT_PAGE = 1000

/** The whole report. */
export const wholeReport = async (source: Source): Promise<ReportEntry[]> => {
  const entries: ReportEntry[] = []
  let page: number | undefined = 1
  while (page !== undefined) {
    const answer: Answers['migrations']['report'] = await client.migrations.report({ source, page, per_page: REPORT_PAGE })
    entries.push(...answer.data)
    page = nextPage(answer.meta)
  }
  return entries
}
