/** Site settings. */
export interface Site {
  /** Origins of the site's URLs, the public one first, without a trailing slash. */
  readonly origins: readonly string[]
  /** Path of the site below its origin; empty for the root. */
  readonly basePath: string
  /** Paths of the directory pages below the base path, such as `members`. Sites can rename them. */
  readonly pages: { readonly members: string; readonly groups: string; readonly activity: string }
  /** URLs of the uploads folder, with a trailing slash. */
  readonly uploads: readonly string[]
  /** The earliest time of the site, for rows without a valid time. */
  readonly founded: string
}

const pathOf = ({ basePath }: Pick<Site, 'basePath'>, ...parts: readonly (string | number)[]): string => `${basePath}/${parts.join('/')}/`

/** Percent-encodes a name, unless the source already did. */
const encoded = (name: string) => encodeURIComponent(name).replaceAll('%25', '%')

/** Profile URLs of a person, for each of their names. */
export const personUrls = (site: Site, id: string, names: readonly string[]): string[] => {
  const urls = names.flatMap((name) => {
    const profile = pathOf(site, site.pages.members, encoded(name))
    return [profile, `${profile}profile/`, `${profile}activity/`, pathOf(site, 'author', encoded(name))]
  })
  return [...new Set([...urls, `${site.basePath}/?author=${id}`])]
}

/** URLs of a group, for its current and former slugs. */
export const groupUrls = (site: Site, slugs: readonly string[]): string[] =>
  [...new Set(slugs)].flatMap((slug) => {
    const group = pathOf(site, site.pages.groups, encoded(slug))
    return [group, `${group}home/`, `${group}activity/`, `${group}members/`]
  })

/** Permalinks of an activity, below the current and the default name of the directory page. */
const permalinks = (site: Site, id: number): string[] => [
  ...new Set([site.pages.activity, 'activity'].map((page) => pathOf(site, page, 'p', id))),
]

export const postUrls = (site: Site, id: number, author: string | null, group: string | null): string[] => [
  ...permalinks(site, id),
  ...(author ? [pathOf(site, site.pages.members, encoded(author), 'activity', id)] : []),
  ...(group ? [pathOf(site, site.pages.groups, encoded(group), 'activity', id)] : []),
]

export const commentUrls = permalinks

/** URLs of an uploaded file. */
export const uploadUrls = ({ uploads }: Pick<Site, 'uploads'>, path: string): string[] => [
  ...new Set(uploads.flatMap((folder) => [folder + path, folder + encodeURI(path)])),
]
