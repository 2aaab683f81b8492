import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../ui/feedback.tsx'

export const NotFound = () => {
  const { t } = useTranslation()
  return (
    <Empty title={t('notFound.title')} icon={<Compass aria-hidden="true" />} page>
      <p>{t('notFound.hint')}</p>
      <p>
        <Link to="/">{t('notFound.home')}</Link> ·{' '}
        <Link to="/search" search={{ q: '' }}>
          {t('notFound.search')}
        </Link>
      </p>
    </Empty>
  )
}
