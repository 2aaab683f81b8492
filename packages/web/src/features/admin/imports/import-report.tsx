import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { downloadCsv } from '../../../lib/csv.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { FormSection, Tag } from '../form-kit.tsx'
import style from './imports.module.css'
import { reportQuery, type Source, wholeReport } from './queries.ts'

interface Props {
  readonly source: Source
  readonly run: number
}

/** Every record that an import left out, with its reason. */
export const ImportReport = ({ source, run }: Props) => {
  const { t } = useTranslation('imports')
  const list = useInfiniteQuery(reportQuery(source, run))
  const form = useApiForm()
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? []
  const total = list.data?.pages[0]?.meta.total ?? 0
  const kind = (item: string) => t(`kind.${item}`, { defaultValue: item })
  const download = () =>
    form.run(async () => {
      const rows = (await wholeReport(source)).map(({ item, id, outcome, reason }) => [item, id, outcome, reason])
      downloadCsv(`import-${source}.csv`, [['kind', 'id', 'outcome', 'reason'], ...rows])
    })
  return (
    <FormSection title={t('report.title')} hint={t(total === 0 ? 'report.none' : 'report.hint', { count: total })}>
      {total > 0 && (
        <div className={style.acts}>
          <Button icon={<Download aria-hidden="true" />} busy={form.busy} onClick={download}>
            {t('report.download')}
          </Button>
        </div>
      )}
      <ErrorMessage>{form.formError}</ErrorMessage>
      <QueryState query={list} lines={4} />
      {entries.length > 0 && (
        <ul>
          {entries.map(({ item, id, outcome, reason }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a record can be in the report twice, and entries are only appended
            <li key={at} className={style.row}>
              <span className={style.name}>
                <span className={style.record}>
                  {kind(item)} <code>{id}</code>
                </span>
                <span lang="en">{reason}</span>
              </span>
              <Tag kind={outcome === 'failed' ? 'danger' : 'plain'}>{t(`outcome.${outcome}`)}</Tag>
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={list} />
    </FormSection>
  )
}
