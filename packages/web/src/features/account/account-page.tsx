import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import sheet from '../../ui/form.module.css'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

export const AccountPage = () => {
  const { t } = useTranslation('account')
  return (
    <div className={sheet.page}>
      <PageTitle>{t('title')}</PageTitle>
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
