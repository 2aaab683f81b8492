import { useTranslation } from 'react-i18next'
import { locale } from '../../../lib/i18n.ts'
import { Progress } from '../../../ui/progress.tsx'
import { FormSection } from '../form-kit.tsx'
import style from './imports.module.css'
import type { Run } from './queries.ts'

const MINUTE_S = 60

/** The progress of an import that is running. */
export const ImportProgress = ({ run }: { readonly run: Run }) => {
  const { t } = useTranslation('imports')
  const number = new Intl.NumberFormat(locale())
  const { current_step: step = 'preparation', estimated_time_remaining: left } = run
  const minutes = left === undefined ? null : Math.ceil(left / MINUTE_S)
  return (
    <FormSection title={t(run.dry_run ? 'progress.dryRun' : 'progress.import')} hint={t('progress.hint')}>
      <p role="status">{t(`step.${step}`)}</p>
      <dl className={style.progress}>
        {Object.entries(run.progress).map(([item, { total, completed, percentage }]) => (
          <div key={item}>
            <dt>{t(`item.${item}`)}</dt>
            <dd>
              <Progress value={percentage} label={t(`item.${item}`)} text={`${number.format(completed)} / ${number.format(total)}`} />
            </dd>
          </div>
        ))}
      </dl>
      {minutes !== null && <p className={style.soft}>{t('progress.left', { count: minutes })}</p>}
    </FormSection>
  )
}
