import type { Answers } from '@lyceum/sdk'
import { ExternalLink, Link2 } from 'lucide-react'
import { placeAt } from '../../lib/urls.ts'
import type { MenuAction } from '../../ui/menu-open.tsx'

type Page = Answers['settings']['public']['data']['appearance']['menu']
export type Entry = Page['mainMenuItems'][number]

/** Entries that the app does not have of itself, as far as they are switched on and lead somewhere. */
const own = (entries: readonly Entry[]) =>
  entries.filter(
    ({ enabled, is_system, title, permalink }) => enabled === 'yes' && is_system === 'no' && title.trim() !== '' && permalink !== '',
  )

/** What those who run the community have put into its menus. */
export const menuOf = (menu: Page | undefined) => ({
  main: own(menu?.mainMenuItems ?? []),
  profile: own(menu?.profileDropdownItems ?? []),
  before: own(menu?.beforeCommunityMenuItems ?? []),
  groups: (menu?.afterCommunityLinkGroups ?? []).flatMap(({ title, items }) => {
    const entries = own(items)
    return entries.length > 0 ? [{ title, entries }] : []
  }),
})

/** Signs are made of several characters often, but no sign is as long as that. */
export const LONGEST_SIGN = 11

/** What stands before an entry: its own sign, or one for what it is. */
export const EntryIcon = ({ entry: { icon, permalink, new_tab } }: { readonly entry: Entry }) => {
  if (icon !== '' && icon.length <= LONGEST_SIGN) return <span aria-hidden="true">{icon}</span>
  return new_tab === 'yes' || placeAt(permalink) === null ? <ExternalLink aria-hidden="true" /> : <Link2 aria-hidden="true" />
}

/** The same in a menu that opens. */
export const actionOf = (entry: Entry, go: (place: string) => void): MenuAction => {
  const { title, permalink, new_tab } = entry
  const place = new_tab === 'yes' ? null : placeAt(permalink)
  const about = { label: title, icon: <EntryIcon entry={entry} /> }
  return place === null ? { ...about, href: permalink, newTab: new_tab === 'yes' } : { ...about, onAction: () => go(place) }
}
