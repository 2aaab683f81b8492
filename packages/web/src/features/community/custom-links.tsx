import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { communityQuery } from '../../lib/community.ts'
import { SmartLink } from '../../ui/smart-link.tsx'
import { SideSpaces } from '../spaces/side-spaces.tsx'
import style from './custom-links.module.css'
import { customMenu, type Entry, EntryIcon } from './menu.tsx'

const Entries = ({ entries, title = '' }: { readonly entries: readonly Entry[]; readonly title?: string }) => {
  const id = useId()
  if (entries.length === 0) return null
  return (
    <section className={style.group} {...(title && { 'aria-labelledby': id })}>
      {title && <h2 id={id}>{title}</h2>}
      <ul>
        {entries.map((entry, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ID
          <li key={n}>
            <SmartLink to={entry.permalink} newTab={entry.new_tab === 'yes'} className={style.item}>
              <span className={style.icon}>
                <EntryIcon entry={entry} />
              </span>
              <span>{entry.title}</span>
            </SmartLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Custom links in the side navigation, with the user's spaces between them. */
export const CustomLinks = () => {
  const { data } = useQuery(communityQuery)
  const { main, before, groups } = customMenu(data?.appearance.menu)
  return (
    <>
      <Entries entries={[...main, ...before]} />
      <SideSpaces />
      {groups.map(({ title, entries }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no ID
        <Entries key={n} title={title} entries={entries} />
      ))}
    </>
  )
}
