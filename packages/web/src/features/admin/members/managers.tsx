import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { PageHeader, Tag } from '../form-kit.tsx'
import { ManagerDialog } from './manager-dialog.tsx'
import style from './members.module.css'
import { type Manager, managersQuery } from './queries.ts'

export const ManagersPage = () => {
  const { t } = useTranslation('admin')
  const list = useInfiniteQuery(managersQuery)
  const [edited, setEdited] = useState<Manager | 'new' | null>(null)
  const managers = list.data?.pages.flatMap((page) => page.managers) ?? []
  return (
    <>
      <PageHeader title={t('area.managers')} about={t('managers.about')}>
        <Button kind="primary" icon={<Plus aria-hidden="true" />} onClick={() => setEdited('new')}>
          {t('managers.add')}
        </Button>
      </PageHeader>
      <QueryState query={list} lines={6} />
      {managers.length > 0 && (
        <Card>
          <ul className={style.rows}>
            {managers.map((manager) => (
              <li key={manager.id} className={style.row}>
                <Avatar name={manager.xprofile.display_name} src={manager.xprofile.avatar} />
                <div className={style.who}>
                  <div className={style.tags}>
                    <strong>{manager.xprofile.display_name}</strong>
                    <Tag kind="good">{t(`managerRole.${manager.role}`)}</Tag>
                    {manager.status === 'inactive' && <Tag kind="warn">{t('managers.inactive')}</Tag>}
                  </div>
                  <p className={style.soft}>
                    {t('managers.may', { count: manager.permissions.length })}
                    {manager.spaces && ` · ${t('managers.inSpaces', { count: manager.spaces.length })}`}
                  </p>
                </div>
                <Button onClick={() => setEdited(manager)} aria-label={t('members.editOf', { name: manager.xprofile.display_name })}>
                  {t('common:edit')}
                </Button>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <LoadMore list={list} />
      {edited && <ManagerDialog manager={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  )
}
