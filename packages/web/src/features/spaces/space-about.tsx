import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { locale } from '../../lib/i18n.ts'
import { dateOf } from '../../lib/time.ts'
import { Card } from '../../ui/card.tsx'
import { HtmlContent } from '../../ui/html-content.tsx'
import { spaceQuery } from './queries.ts'
import style from './space-page.module.css'

const route = getRouteApi('/members/spaces/$slug/about')

export const SpaceAbout = () => {
  const { t } = useTranslation('spaces')
  const { slug } = route.useParams()
  const { data: space } = useSuspenseQuery(spaceQuery(slug))
  const links = space.settings.links.filter(({ enabled }) => enabled === 'yes')
  return (
    <Card className={style.about}>
      <section>
        <h2>{t('about.title')}</h2>
        {space.description ? <HtmlContent html={space.description_rendered} /> : <p>{t('about.empty')}</p>}
      </section>
      {links.length > 0 && (
        <section>
          <h2>{t('about.links')}</h2>
          <ul className={style.links}>
            {links.map(({ slug: name, title, permalink, emoji, new_tab }) => (
              <li key={name}>
                <a href={permalink} {...(new_tab === 'yes' && { target: '_blank', rel: 'noreferrer' })}>
                  {emoji && <span aria-hidden="true">{emoji}</span>}
                  {title}
                  {new_tab === 'yes' && <ExternalLink size={16} aria-label={t('about.newTab')} />}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <dl className={style.facts}>
        <dt>{t('about.privacy')}</dt>
        <dd>{t(`privacyText.${space.privacy}`)}</dd>
        <dt>{t('about.created')}</dt>
        <dd>{dateOf(space.created_at)}</dd>
        {space.creator && (
          <>
            <dt>{t('about.creator')}</dt>
            <dd>
              <Link to="/people/$username" params={{ username: space.creator.username }}>
                {space.creator.display_name}
              </Link>
            </dd>
          </>
        )}
        {space.posts_count > 0 && (
          <>
            <dt>{t('about.posts')}</dt>
            <dd>{new Intl.NumberFormat(locale()).format(space.posts_count)}</dd>
          </>
        )}
      </dl>
    </Card>
  )
}
