import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../ui/card.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { PageHeader, Tag } from '../form-kit.tsx'
import style from './imports.module.css'
import { platformsQuery } from './queries.ts'

const TAGS = { available: null, in_progress: 'warn', completed: 'good' } as const

/** The platforms that a community can come from. */
export const ImportsPage = () => {
  const { t } = useTranslation('imports')
  const platforms = useQuery(platformsQuery)
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <QueryState query={platforms} lines={8} />
      {platforms.data && (
        <Card>
          <ul className={style.platforms}>
            {platforms.data.map(({ id, name, status, is_installed: isReady }) => {
              const kind = TAGS[status]
              return (
                <li key={id}>
                  <Link to="/admin/import/$source" params={{ source: id }} className={style.platform}>
                    <span className={style.name}>
                      <strong>{name}</strong>
                      <span>{t(`platform.${id}`)}</span>
                    </span>
                    {kind ? <Tag kind={kind}>{t(`state.${status}`)}</Tag> : isReady && <Tag>{t('state.ready')}</Tag>}
                    <ChevronRight aria-hidden="true" />
                  </Link>
                </li>
              )
            })}
          </ul>
        </Card>
      )}
    </>
  )
}
