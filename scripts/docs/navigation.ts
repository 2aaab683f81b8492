import { linksOf } from './render.ts'
import { INDEX, type Source } from './sources.ts'

export interface Entry {
  readonly label: string
  /** Path in the site. */
  readonly href: string
}
export interface Group {
  readonly title: string
  readonly entries: readonly Entry[]
}
export interface Part {
  readonly title: string
  /** The page that introduces the part. */
  readonly href: string | null
  readonly groups: readonly Group[]
}

/** The pages in the order of the index. A part whose first link is an index of its own has the groups of that one. */
export const navigationOf = (sources: ReadonlyMap<string, Source>): Part[] => {
  const groupOf = ({ title, links }: ReturnType<typeof linksOf>[number]): Group => {
    const entries = links.flatMap(({ label, target, hash }) => {
      const page = sources.get(target)
      return page ? { label, href: page.out + hash } : []
    })
    return { title, entries: entries.filter(({ href }, place) => entries.findIndex((other) => other.href === href) === place) }
  }
  const index = sources.get(INDEX)
  if (!index) throw new Error(`${INDEX} is missing`)
  return linksOf(index).map((part) => {
    const own = sources.get(part.links[0]?.target ?? '')
    const isIndex = own?.path.startsWith('docs/') && own.path.endsWith('/README.md')
    if (!own || !isIndex) return { title: part.title, href: null, groups: [{ ...groupOf(part), title: '' }] }
    return {
      title: part.title,
      href: own.out,
      groups: linksOf(own)
        .map(groupOf)
        .filter(({ entries }) => entries.length > 0),
    }
  })
}

/** All entries in order, to read one page after the other. */
export const orderOf = (parts: readonly Part[]): Entry[] =>
  parts.flatMap(({ title, href, groups }) => [
    ...(href === null ? [] : [{ label: title, href }]),
    ...groups.flatMap(({ entries }) => entries.filter((entry) => !entry.href.includes('#'))),
  ])
