/** Results of a harness on a database, and whether all tests passed. */
export interface Found {
  readonly name: string
  readonly shows: string
  readonly on: string
  readonly held: boolean
  readonly results: readonly string[]
  readonly minutes: number
  /** YYYY-MM-DD */
  readonly date: string
}

const COLUMNS = '| harness | on | guarantee | results | minutes | date |\n| --- | --- | --- | --- | --- | --- |'
const BEGIN = '<!-- results: written by npm run soak -- --write -->'
const END = '<!-- end of results -->'

const row = ({ name, shows, on, held, results, minutes, date }: Found) =>
  `| ${name} | ${on} | ${held ? '' : '**broken**: '}${shows} | ${results.join('<br>')} | ${minutes.toFixed(1)} | ${date} |`

export const table = (found: readonly Found[]): string => [COLUMNS, ...found.map(row)].join('\n')

const rowsOf = (page: string): Map<string, string> => {
  const rows = page.split('\n').filter((line) => /^\| \w/.test(line) && !line.startsWith('| harness'))
  return new Map(rows.map((line) => [line.split('|').slice(1, 3).join('|'), line]))
}

/** The page with the new results. Harnesses that were not run keep their previous ones. */
export const withResults = (page: string, found: readonly Found[]): string => {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error('docs/evidence.md has no markers around its results')
  const rows = rowsOf(page.slice(begin, end))
  for (const [key, line] of rowsOf(found.map(row).join('\n'))) rows.set(key, line)
  return `${page.slice(0, begin)}${BEGIN}\n${[COLUMNS, ...[...rows].toSorted(([a], [b]) => a.localeCompare(b)).map(([, line]) => line)].join('\n')}\n${page.slice(end)}`
}
