import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { keys } from '../../../lib/query-keys.ts'
import { QueryState } from '../../../ui/query-state.tsx'
import { FormSection, PageHeader, SaveForm } from '../form-kit.tsx'
import style from './settings.module.css'

const PARTS = ['bucket', 'endpoint_url', 'region', 'access_key'] as const
const QUERY = { queryKey: keys.admin.storage, queryFn: async () => (await client.settingsPages.storage()).config }

/** The storage backend, which is configured on the server, with a test. */
export const StoragePage = () => {
  const { t } = useTranslation('admin')
  const config = useQuery(QUERY)
  const form = useApiForm()
  const test = () => form.run(() => client.settingsPages.testStorage({}), t('storage.works'))
  return (
    <>
      <PageHeader title={t('area.storage')} about={t('areaDescription.storage')} />
      <QueryState query={config} lines={4} />
      {config.data && (
        <SaveForm form={form} onSave={test} action={t('storage.test')}>
          <FormSection title={t(`storage.${config.data.driver}`)} hint={t(`storage.${config.data.driver}Hint`)}>
            {config.data.driver === 's3' && (
              <dl className={style.facts}>
                {PARTS.map((part) => (
                  <div key={part}>
                    <dt>{t(`storage.${part}`)}</dt>
                    <dd>{config.data[part] || '–'}</dd>
                  </div>
                ))}
              </dl>
            )}
          </FormSection>
        </SaveForm>
      )}
    </>
  )
}
