import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { BASE_PATH } from '../../lib/base-path.ts'
import { client } from '../../lib/client.ts'
import { locale } from '../../lib/i18n.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { queryClient } from '../../lib/query.ts'
import { dateOf, fullDateTime } from '../../lib/time.ts'
import { pathOf } from '../../lib/urls.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import sheet from '../../ui/form.module.css'
import { QueryState } from '../../ui/query-state.tsx'
import style from './account.module.css'
import { DeleteAccount } from './delete-account.tsx'
import { exportsQuery } from './queries.ts'

const MEGABYTE = 1_000_000

/** Data export and account deletion. */
export const DataAndPrivacyPage = () => {
  const { t } = useTranslation('account')
  const list = useQuery(exportsQuery)
  const ask = useMutation({
    mutationFn: () => client.privacy.requestExport(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: exportsQuery.queryKey }),
  })
  const size = (bytes: number) =>
    new Intl.NumberFormat(locale(), { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(bytes / MEGABYTE)
  return (
    <>
      <Card className={sheet.part}>
        <h2>{t('export.title')}</h2>
        <p className={sheet.soft}>{t('export.text')}</p>
        <QueryState query={list} lines={3} />
        {list.data && list.data.length > 0 && (
          <ul className={style.list}>
            {list.data.map(({ id, status, size: bytes, created_at, expires_at, download_url }) => (
              <li key={id}>
                <span className={style.what}>
                  <strong>{fullDateTime(created_at)}</strong>
                  <span role="status">
                    {t(`export.status.${status}`)}
                    {bytes !== null && ` · ${size(bytes)}`}
                    {status === 'ready' && expires_at && ` · ${t('export.availableUntil', { date: dateOf(expires_at) })}`}
                  </span>
                </span>
                {download_url && (
                  <a className={style.download} href={BASE_PATH + pathOf(download_url)} download>
                    {t('export.download')}
                  </a>
                )}
              </li>
            ))}
          </ul>
        )}
        {ask.error && <ErrorMessage>{errorMessage(ask.error)}</ErrorMessage>}
        <Button className={sheet.start} busy={ask.isPending} onClick={() => ask.mutate()}>
          {t('export.request')}
        </Button>
      </Card>
      <DeleteAccount />
    </>
  )
}
