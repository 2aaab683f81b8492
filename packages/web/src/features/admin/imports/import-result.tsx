import { useTranslation } from 'react-i18next'
import { locale } from '../../../lib/i18n.ts'
import { fullDateTime } from '../../../lib/time.ts'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import table from '../../../ui/table.module.css'
import { FormSection } from '../form-kit.tsx'
import { Audiences } from './audiences.tsx'
import { ImportReport } from './import-report.tsx'
import style from './imports.module.css'
import type { Run, Source } from './queries.ts'

const COLUMNS = ['total', 'new', 'changed', 'unchanged', 'skipped', 'failed'] as const

type Result = NonNullable<Run['results']>[string]

/** The figures of an item: of the records that are imported, some are new. */
const figures = ({ migrated, changed, unchanged, ...rest }: Result): Readonly<Record<(typeof COLUMNS)[number], number>> => ({
  ...rest,
  changed,
  unchanged,
  new: migrated - changed - unchanged,
})

const Results = ({ results, isDry }: { readonly results: NonNullable<Run['results']>; readonly isDry: boolean }) => {
  const { t } = useTranslation('imports')
  const number = new Intl.NumberFormat(locale())
  return (
    <div className={style.results}>
      <table className={`${table.table} ${style.figures}`}>
        <thead>
          <tr>
            <th scope="col">{t('result.item')}</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(`result.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(results).map(([item, result]) => {
            const row = figures(result)
            return (
              <tr key={item}>
                <th scope="row">{t(`item.${item}`)}</th>
                {COLUMNS.map((column) => (
                  <td key={column} data-called={t(`result.${column}`)} data-kind={row[column] > 0 ? column : undefined}>
                    {number.format(row[column])}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      {isDry && <p className={style.soft}>{t('result.nothingWritten')}</p>}
    </div>
  )
}

interface Props {
  readonly source: Source
  readonly run: Run
}

/** What the latest run brought or would bring, who sees it, and what was left out. */
export const ImportResult = ({ source, run }: Props) => {
  const { t } = useTranslation('imports')
  const number = new Intl.NumberFormat(locale())
  const { dry_run: isDry, status, completed_at: end, results = {}, audiences = [], left_out: leftOut = {}, errors = [] } = run
  const failure = status === 'failed' ? (errors.find(({ item }) => item === 'import')?.error ?? t('result.failedHint')) : null
  return (
    <>
      <FormSection title={t(isDry ? 'result.dryRun' : 'result.import')} {...(end && { hint: fullDateTime(end) })}>
        <ErrorMessage>{failure}</ErrorMessage>
        {Object.keys(results).length > 0 && <Results results={results} isDry={isDry} />}
      </FormSection>
      {audiences.length > 0 && <Audiences audiences={audiences} isDry={isDry} />}
      {Object.keys(leftOut).length > 0 && (
        <FormSection title={t('leftOut.title')} hint={t('leftOut.hint')}>
          <ul>
            {Object.entries(leftOut).map(([name, count]) => (
              <li key={name} className={style.row}>
                <span className={style.name} lang="en">
                  {name}
                </span>
                <span className={style.number}>{number.format(count)}</span>
              </li>
            ))}
          </ul>
        </FormSection>
      )}
      {status === 'completed' && <ImportReport source={source} run={run.id} />}
    </>
  )
}
