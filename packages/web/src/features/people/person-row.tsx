import { Link } from '@tanstack/react-router'
import { BadgeCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '../../ui/avatar.tsx'
import style from './person-row.module.css'

interface Props {
  readonly person: {
    readonly username: string
    readonly display_name: string
    readonly avatar: string
    readonly is_verified?: number
  }
  /** Content next to the name, such as a role. */
  readonly mark?: ReactNode
  /** The line below the name; the username by default. */
  readonly about?: ReactNode
  /** Action buttons. */
  readonly children?: ReactNode
}

/** A member in a list. */
export const PersonRow = ({ person, mark, about, children }: Props) => {
  const { t } = useTranslation('people')
  return (
    <li className={style.row}>
      <Avatar name={person.display_name} src={person.avatar} />
      <div className={style.who}>
        <span className={style.line}>
          <Link to="/people/$username" params={{ username: person.username }} className={style.name}>
            <bdi>{person.display_name}</bdi>
          </Link>
          {person.is_verified === 1 && <BadgeCheck className={style.verified} role="img" aria-label={t('verified')} />}
          {mark && <span className={style.mark}>{mark}</span>}
        </span>
        <span className={style.about}>
          <bdi>{about || `@${person.username}`}</bdi>
        </span>
      </div>
      {children && <div className={style.acts}>{children}</div>}
    </li>
  )
}

/** A list of members. */
export const PersonList = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <ul className={style.list} aria-label={label}>
    {children}
  </ul>
)
