import type { Answers } from '@lyceum/sdk'
import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { FormSection, PageHeader, SaveForm } from '../form-kit.tsx'
import style from './settings.module.css'

type Stored = Answers['leaderboardLevels']['list']
interface Draft {
  readonly key: string
  readonly id?: number
  readonly title: string
  readonly min_points: number
  readonly max_points: number
}

const QUERY = { queryKey: keys.admin.levels, queryFn: () => client.leaderboardLevels.list() }
const drafts = ({ levels }: Stored): readonly Draft[] =>
  levels.map(({ id, title, min_points, max_points }) => ({ key: String(id), id, title, min_points, max_points }))

const Form = ({ stored }: { readonly stored: Stored }) => {
  const { t } = useTranslation('admin')
  const form = useApiForm()
  const [levels, setLevels] = useState(drafts(stored))
  const [points, setPoints] = useState(stored.points_config)
  const change = (key: string, part: Partial<Draft>) =>
    setLevels(levels.map((level) => (level.key === key ? { ...level, ...part } : level)))
  const save = () =>
    form.run(async () => {
      const gone = stored.levels.filter(({ id }) => !levels.some((level) => level.id === id)).map(({ id }) => ({ id, delete: true }))
      const sent = levels.map(({ key: _key, ...level }) => level)
      const { message: _message, ...saved } = await client.leaderboardLevels.save({ levels: [...gone, ...sent], points_config: points })
      queryClient.setQueryData(QUERY.queryKey, saved)
      setLevels(drafts(saved))
    }, t('saved'))
  const add = () => {
    const from = Math.max(-1, ...levels.map(({ max_points }) => max_points)) + 1
    setLevels([...levels, { key: crypto.randomUUID(), title: '', min_points: from, max_points: from + 99 }])
  }
  return (
    <SaveForm form={form} onSave={save}>
      <FormSection title={t('levels.points')} hint={t('levels.pointsHint')}>
        <div className={style.numbers}>
          {(Object.keys(points) as (keyof typeof points)[]).map((kind) => (
            <TextField
              key={kind}
              label={t(`points.${kind}`)}
              type="number"
              min={0}
              max={1_000_000}
              required
              value={points[kind]}
              onChange={(event) => setPoints({ ...points, [kind]: event.currentTarget.valueAsNumber || 0 })}
            />
          ))}
        </div>
      </FormSection>
      <FormSection title={t('levels.levels')} hint={t('levels.levelsHint')}>
        <ul className={style.levels}>
          {levels.map(({ key, title, min_points, max_points }) => (
            <li key={key}>
              <TextField
                label={t('levels.name')}
                value={title}
                required
                maxLength={100}
                onChange={(event) => change(key, { title: event.currentTarget.value })}
              />
              <TextField
                label={t('levels.from')}
                type="number"
                min={0}
                required
                value={min_points}
                onChange={(event) => change(key, { min_points: event.currentTarget.valueAsNumber || 0 })}
              />
              <TextField
                label={t('levels.to')}
                type="number"
                min={0}
                required
                value={max_points}
                onChange={(event) => change(key, { max_points: event.currentTarget.valueAsNumber || 0 })}
              />
              <IconButton
                label={t('levels.remove', { name: title })}
                onClick={() => setLevels(levels.filter((level) => level.key !== key))}
              >
                <Trash2 aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
        <div>
          <Button icon={<Plus aria-hidden="true" />} onClick={add}>
            {t('levels.add')}
          </Button>
        </div>
      </FormSection>
    </SaveForm>
  )
}

export const LevelsPage = () => {
  const { t } = useTranslation('admin')
  const levels = useQuery(QUERY)
  return (
    <>
      <PageHeader title={t('area.levels')} about={t('levels.about')} />
      <QueryState query={levels} lines={8} />
      {levels.data && <Form stored={levels.data} />}
    </>
  )
}
