import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { htmlToText } from '../../lib/html-to-text.ts'
import { MembershipButton } from './membership-button.tsx'
import { Privacy } from './privacy.tsx'
import type { Space } from './queries.ts'
import { SpaceAvatar } from './space-avatar.tsx'
import style from './space-card.module.css'

/** One space in a list. */
export const SpaceCard = ({ space }: { readonly space: Space }) => {
  const { t } = useTranslation('spaces')
  return (
    <li className={style.card}>
      <SpaceAvatar space={space} emoji={space.settings.emoji} />
      <div className={style.words}>
        <h3>
          <Link to="/spaces/$slug" params={{ slug: space.slug }} className={style.title}>
            <bdi>{space.title}</bdi>
          </Link>
        </h3>
        {space.description && <p className={style.text}>{htmlToText(space.description_rendered)}</p>}
        <p className={style.facts}>
          <Privacy privacy={space.privacy} />
          {space.members_count > 0 && (
            <span className={style.fact}>
              <Users aria-hidden="true" /> {t('members', { count: space.members_count })}
            </span>
          )}
        </p>
      </div>
      <div className={style.act}>
        <MembershipButton space={space} among />
      </div>
    </li>
  )
}
