import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Check, SelectField, TextField } from '../../../ui/field.tsx'
import type { SurveyDraft } from './form-state.ts'
import style from './survey-editor.module.css'

const FEWEST = 2
const MOST = 20
const RESULTS = ['always', 'after_vote', 'never'] as const

interface Props {
  readonly survey: SurveyDraft
  /** Whether someone has voted; options can no longer change then. */
  readonly frozen: boolean
  readonly error?: string | undefined
  readonly onChange: (survey: SurveyDraft) => void
  readonly onRemove: () => void
}

export const SurveyEditor = ({ survey, frozen, error, onChange, onRemove }: Props) => {
  const { t } = useTranslation('feeds')
  const change = (part: Partial<SurveyDraft>) => onChange({ ...survey, ...part })
  const { options } = survey
  return (
    <section className={style.survey} aria-label={t('surveyEditor.add')}>
      <header className={style.head}>
        <TextField
          label={t('surveyEditor.question')}
          value={survey.question}
          maxLength={500}
          required
          error={error}
          onChange={({ currentTarget }) => change({ question: currentTarget.value })}
        />
        {!frozen && (
          <IconButton label={t('surveyEditor.remove')} onClick={onRemove}>
            <X />
          </IconButton>
        )}
      </header>
      {frozen && <p className={style.hint}>{t('surveyEditor.locked')}</p>}
      <ul className={style.options}>
        {options.map((label, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: options may have no ID yet
          <li key={n} className={style.option}>
            <input
              className={style.input}
              value={label}
              maxLength={200}
              required={n < FEWEST}
              disabled={frozen}
              aria-label={t('surveyEditor.option', { number: n + 1 })}
              placeholder={t('surveyEditor.option', { number: n + 1 })}
              onChange={({ currentTarget }) => change({ options: options.with(n, currentTarget.value) })}
            />
            {options.length > FEWEST && !frozen && (
              <IconButton
                label={t('surveyEditor.removeOption', { number: n + 1 })}
                onClick={() => change({ options: options.toSpliced(n, 1) })}
              >
                <X />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {options.length < MOST && !frozen && (
        <Button
          kind="quiet"
          className={style.add ?? ''}
          icon={<Plus aria-hidden="true" />}
          onClick={() => change({ options: [...options, ''] })}
        >
          {t('surveyEditor.addOption')}
        </Button>
      )}
      <Check
        label={t('surveyEditor.multiple')}
        checked={survey.several}
        disabled={frozen}
        onChange={({ currentTarget }) => change({ several: currentTarget.checked })}
      />
      <div className={style.pair}>
        <SelectField
          label={t('surveyEditor.results')}
          value={survey.results}
          onChange={({ currentTarget }) => change({ results: RESULTS.find((name) => name === currentTarget.value) ?? 'always' })}
        >
          {RESULTS.map((name) => (
            <option key={name} value={name}>
              {t(`surveyEditor.${name}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('surveyEditor.end')}
          hint={t('surveyEditor.endHint')}
          type="datetime-local"
          value={survey.end}
          onChange={({ currentTarget }) => change({ end: currentTarget.value })}
        />
      </div>
    </section>
  )
}
