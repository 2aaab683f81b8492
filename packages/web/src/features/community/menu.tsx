import type { Answers } from '@lyceum/sdk'
import { ExternalLink, Link2 } from 'lucide-react'
import { appPath } from '../../lib/urls.ts'
import type { MenuAction } from '../../ui/menu-open.tsx'

type Page = Answers['settings']['public']['data']['appearance']['menu']
export type Entry = Page['mainMenuItems'][number]

/** Custom menu entries that are enabled and have a valid URL. */
const own = (entries: readonly Entry[]) =>
  entries.filter(
    ({ enabled, is_system, title, permalink }) => enabled === 'yes' && is_system === 'no' && title.trim() !== '' && permalink !== '',
  )

/** The custom menus of the community. */
export const customMenu = (menu: Page | undefined) => ({
  main: own(menu?.mainMenuItems ?? []),
  profile: own(menu?.profileDropdownItems ?? []),
  before: own(menu?.beforeCommunityMenuItems ?? []),
  groups: (menu?.afterCommunityLinkGroups ?? []).flatMap(({ title, items }) => {
    const entries = own(items)
    return entries.length > 0 ? [{ title, entries }] : []
  }),
})

/** Emoji can consist of several characters, but none is longer than this. */
export const MAX_EMOJI_LENGTH = 11

/** Icon of a menu entry: its emoji or a default. */
export const EntryIcon = ({ entry: { icon, permalink, new_tab } }: { readonly entry: Entry }) => {
  if (icon !== '' && icon.length <= MAX_EMOJI_LENGTH) return <span aria-hidden="true">{icon}</span>
  return new_tab === 'yes' || appPath(permalink) === null ? <ExternalLink aria-hidden="true" /> : <Link2 aria-hidden="true" />
}

/** Custom entries of a dropdown menu. */
export const actionOf = (entry: Entry, go: (place: string) => void): MenuAction => {
  const { title, permalink, new_tab } = entry
  const place = new_tab === 'yes' ? null : appPath(permalink)
  const about = { label: title, icon: <EntryIcon entry={entry} /> }
  return place === null ? { ...about, href: permalink, newTab: new_tab === 'yes' } : { ...about, onAction: () => go(place) }
}
