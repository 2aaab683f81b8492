import { Play, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { locale } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Check } from '../../../ui/field.tsx'
import { FormSection } from '../form-kit.tsx'
import { type Choices, inputOf, knownSpaces } from './choices.ts'
import style from './imports.module.css'
import { type Config, type Item, type Run, runQuery, type Source, WITH_SITE } from './queries.ts'
import { SpaceChoices } from './space-choices.tsx'

interface Props {
  readonly source: Source
  readonly config: Config
  /** The latest run. */
  readonly run: Run | null
  readonly choices: Choices
  readonly onChoose: (choices: Choices) => void
}

/** What to import, with the buttons that start a dry run and the import. */
export const StartForm = ({ source, config, run, choices, onChoose }: Props) => {
  const { t } = useTranslation('imports')
  const items = Object.keys(config.available_items) as Item[]
  const [left, setLeft] = useState<ReadonlySet<Item>>(new Set())
  const [isAsking, setIsAsking] = useState(false)
  const form = useApiForm()
  const chosen = items.filter((item) => !left.has(item))
  const isStaged = config.files.length > 0 || Boolean(config.url)
  const isReady = isStaged && chosen.length > 0
  const isTried = run?.dry_run === true && run.status === 'completed'
  const spaces = left.has('spaces') ? [] : knownSpaces(run?.audiences ?? [], choices)
  const number = new Intl.NumberFormat(locale())
  const start = async (isDry: boolean) => {
    const { migration } = await client.migrations.start({ source, items: chosen, dry_run: isDry, ...inputOf(choices) })
    queryClient.setQueryData(runQuery(source).queryKey, migration)
  }
  const toggle = (item: Item, isWanted: boolean) => {
    const next = new Set(left)
    if (isWanted) next.delete(item)
    else next.add(item)
    setLeft(next)
  }
  return (
    <FormSection title={t('start.title')} hint={t('start.hint')}>
      <fieldset className={style.items}>
        <legend className="visually-hidden">{t('start.title')}</legend>
        {items.map((item) => {
          const count = config.available_items[item]?.count ?? 0
          return (
            <Check
              key={item}
              label={count > 0 ? t('start.counted', { item: t(`item.${item}`), count, number: number.format(count) }) : t(`item.${item}`)}
              hint={t(`itemHint.${item}`)}
              checked={!left.has(item)}
              onChange={(event) => toggle(item, event.currentTarget.checked)}
            />
          )
        })}
      </fieldset>
      {items.includes('media') && !left.has('people') && (
        <Check
          label={t('start.avatars')}
          checked={choices.avatars}
          onChange={(event) => onChoose({ ...choices, avatars: event.currentTarget.checked })}
        />
      )}
      {spaces.length > 0 && <SpaceChoices spaces={spaces} choices={choices} onChange={onChoose} />}
      <ErrorMessage>{form.formError}</ErrorMessage>
      <div className={style.acts}>
        <Button
          kind={isTried ? 'plain' : 'primary'}
          icon={<Search aria-hidden="true" />}
          disabled={!isReady}
          busy={form.busy}
          onClick={() => form.run(() => start(true))}
        >
          {t('start.dryRun')}
        </Button>
        <Button
          kind={isTried ? 'primary' : 'plain'}
          icon={<Play aria-hidden="true" />}
          disabled={!isReady}
          busy={form.busy}
          onClick={() => setIsAsking(true)}
        >
          {t('start.import')}
        </Button>
      </div>
      {chosen.length === 0 && <p className={style.soft}>{t('start.nothingChosen')}</p>}
      {!isStaged && <p className={style.soft}>{t(WITH_SITE.has(source) ? 'start.noSource' : 'start.noFiles')}</p>}
      {isAsking && (
        <Confirm title={t('start.confirm')} action={t('start.import')} onClose={() => setIsAsking(false)} onConfirm={() => start(false)}>
          <p>{t('start.confirmHint')}</p>
          {!isTried && <p>{t('start.untried')}</p>}
        </Confirm>
      )}
    </FormSection>
  )
}
