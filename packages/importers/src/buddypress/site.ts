/** What a site says about itself. */
export interface Site {
  /** Origins of its addresses, the public one first, without a trailing slash. */
  readonly origins: readonly string[]
  /** Path of the site below its origin; empty for the root. */
  readonly basePath: string
  /** Paths of the directories below the base path, which sites can rename, such as `members`. */
  readonly pages: { readonly members: string; readonly groups: string; readonly activity: string }
  /** Addresses of the folder of the uploads, with a trailing slash. */
  readonly uploads: readonly string[]
  /** A time that is not after any other, for rows without a valid time. */
  readonly founded: string
}

const pathOf = ({ basePath }: Pick<Site, 'basePath'>, ...parts: readonly (string | number)[]): string => `${basePath}/${parts.join('/')}/`

/** Names that are not ASCII are percent-encoded, or were already. */
const encoded = (name: string) => encodeURIComponent(name).replaceAll('%25', '%')

/** Addresses of a person by all their names. */
export const personUrls = (site: Site, id: string, names: readonly string[]): string[] => {
  const urls = names.flatMap((name) => {
    const profile = pathOf(site, site.pages.members, encoded(name))
    return [profile, `${profile}profile/`, `${profile}activity/`, pathOf(site, 'author', encoded(name))]
  })
  return [...new Set([...urls, `${site.basePath}/?author=${id}`])]
}

/** Addresses of a group by its slug and by those that it had before. */
export const groupUrls = (site: Site, slugs: readonly string[]): string[] =>
  [...new Set(slugs)].flatMap((slug) => {
    const group = pathOf(site, site.pages.groups, encoded(slug))
    return [group, `${group}home/`, `${group}activity/`, `${group}members/`]
  })

/** Permalinks of an activity: below the present name of the directory, and below the default, as before it was renamed. */
const permalinks = (site: Site, id: number): string[] => [
  ...new Set([site.pages.activity, 'activity'].map((page) => pathOf(site, page, 'p', id))),
]

export const postUrls = (site: Site, id: number, author: string | null, group: string | null): string[] => [
  ...permalinks(site, id),
  ...(author ? [pathOf(site, site.pages.members, encoded(author), 'activity', id)] : []),
  ...(group ? [pathOf(site, site.pages.groups, encoded(group), 'activity', id)] : []),
]

export const commentUrls = permalinks

/** Addresses of an uploaded file. */
export const uploadUrls = ({ uploads }: Pick<Site, 'uploads'>, path: string): string[] => [
  ...new Set(uploads.flatMap((folder) => [folder + path, folder + encodeURI(path)])),
]
