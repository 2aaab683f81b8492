import { slugify } from '@lyceum/content'
import type { api, BodyOf, Infer, SpaceLink } from '@lyceum/contract'
import { checkAddress, checkDrawing } from '../../core/validate-text.ts'

export type Link = Infer<typeof SpaceLink>
type LinkInput = BodyOf<typeof api.spaces.saveLinks>['links'][number]

const DEFAULT_LINK = {
  enabled: 'yes',
  new_tab: 'no',
  emoji: '',
  icon_image: '',
  shape_svg: '',
  privacy: 'public',
  membership_ids: [],
} as const

/** Completes the links with defaults and gives each a unique slug. @throws invalid_url, invalid_data with the field below `field` */
export const cleanLinks = (input: readonly LinkInput[], field: string): Link[] => {
  const taken = new Set<string>()
  return input.map((link, i) => {
    checkAddress(link.permalink, `${field}.${i}.permalink`)
    checkAddress(link.icon_image, `${field}.${i}.icon_image`)
    checkDrawing(link.shape_svg, `${field}.${i}.shape_svg`)
    const base = slugify(link.title) || 'link'
    const slug = taken.has(base) ? `${base}-${i + 1}` : base
    taken.add(slug)
    return { ...DEFAULT_LINK, ...link, membership_ids: [...new Set(link.membership_ids)], slug, ...(link.shape_svg && { emoji: '' }) }
  })
}

interface LinkViewer {
  readonly manages: boolean
  readonly isMember: boolean
  /** Spaces in which the viewer is an active member. */
  readonly memberOf: ReadonlySet<number>
}

const isVisibleTo = ({ privacy, membership_ids: ids }: Link, { isMember, memberOf }: LinkViewer): boolean => {
  if (privacy === 'logged_out_only') return false
  if (privacy !== 'members_only') return true
  return ids.length === 0 ? isMember : ids.some((id) => memberOf.has(id))
}

/** The links visible to the viewer. Managers get all links, including disabled ones. */
export const visibleLinks = (links: readonly Link[], viewer: LinkViewer): Link[] =>
  viewer.manages
    ? [...links]
    : links.filter((link) => link.enabled === 'yes' && isVisibleTo(link, viewer)).map((link) => ({ ...link, membership_ids: [] }))
