import type { Answers } from '@lyceum/sdk'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { locale } from '../../lib/i18n.ts'
import { Avatar } from '../../ui/avatar.tsx'
import style from './leaderboard.module.css'

export type Entry = Answers['leaderboard']['list']['leaderboard'][number]['items'][number]

export const LeaderboardRow = ({ entry, own }: { readonly entry: Entry; readonly own: boolean }) => {
  const { t } = useTranslation('people')
  const { xprofile: person, level } = entry
  return (
    <li className={style.place} data-own={own || undefined} data-rank={entry.rank}>
      <span className={style.rank}>
        <span className="visually-hidden">{t('leaderboard.rank')} </span>
        {entry.rank}
      </span>
      <Avatar name={person.display_name} src={person.avatar} />
      <div className={style.who}>
        <Link to="/people/$username" params={{ username: person.username }} className={style.name}>
          <bdi>{person.display_name}</bdi>
        </Link>
        {level && (
          <span className={style.level}>
            <span aria-hidden="true">{level.badge_icon}</span> {level.title}
          </span>
        )}
      </div>
      <span className={style.points}>
        <strong>{new Intl.NumberFormat(locale()).format(entry.total_points)}</strong> {t('points', { count: entry.total_points })}
      </span>
    </li>
  )
}
