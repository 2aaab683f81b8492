import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import style from '../community/custom-links.module.css'
import { spaceGroupsQuery } from './queries.ts'
import { SpaceAvatar } from './space-avatar.tsx'

/** The user's spaces in the side navigation. */
export const SideSpaces = () => {
  const { t } = useTranslation()
  const { data } = useQuery(spaceGroupsQuery)
  if (!data) return null
  const mine = [...data.groups.flatMap(({ spaces = [] }) => spaces), ...data.orphaned_spaces].filter(({ is_member }) => is_member)
  if (mine.length === 0) return null
  return (
    <section className={style.group} aria-labelledby="side-spaces">
      <h2 id="side-spaces">{t('shell.mySpaces')}</h2>
      <ul>
        {mine.map((space) => (
          <li key={space.id}>
            <Link to="/spaces/$slug" params={{ slug: space.slug }} className={style.item} activeProps={{ 'aria-current': 'true' }}>
              <SpaceAvatar space={space} emoji={space.emoji} size="small" />
              <span>{space.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
