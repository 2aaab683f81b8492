import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTabs } from '../../ui/page-tabs.tsx'
import style from './account.module.css'

/** Everything that is the caller's own to set. */
export const AccountPage = () => {
  const { t } = useTranslation('account')
  return (
    <div className={style.page}>
      <h1>{t('title')}</h1>
      <PageTabs
        label={t('title')}
        tabs={[
          { to: '/account', label: t('tab.profile'), exact: true },
          { to: '/account/security', label: t('tab.security') },
          { to: '/account/notifications', label: t('tab.notifications') },
          { to: '/account/display', label: t('tab.display') },
          { to: '/account/data', label: t('tab.data') },
        ]}
      />
      <Outlet />
    </div>
  )
}
