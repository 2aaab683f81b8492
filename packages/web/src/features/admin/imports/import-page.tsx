import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import back from '../../../ui/back-link.module.css'
import { Empty } from '../../../ui/feedback.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { PageHeader } from '../form-kit.tsx'
import { NOTHING_CHOSEN } from './choices.ts'
import { ImportProgress } from './import-progress.tsx'
import { ImportResult } from './import-result.tsx'
import { configQuery, type Platform, platformsQuery, runQuery } from './queries.ts'
import { SourceForm } from './source-form.tsx'
import { StartForm } from './start-form.tsx'

const PlatformImport = ({ platform: { id, name } }: { readonly platform: Platform }) => {
  const { t } = useTranslation('imports')
  const config = useQuery(configQuery(id))
  const run = useQuery(runQuery(id))
  const [choices, setChoices] = useState(NOTHING_CHOSEN)
  const isRunning = run.data?.status === 'in_progress'
  useEffect(() => {
    // An import deletes the files that it used, and what it brought is everywhere in the app.
    if (!isRunning)
      void queryClient.invalidateQueries({
        predicate: ({ queryKey }) => queryKey !== keys.admin.importRun(id) && queryKey[1] === 'imports',
      })
  }, [isRunning, id])
  if (!config.data || run.data === undefined) return <QueryState query={config.data ? run : config} lines={8} />
  return (
    <>
      <PageHeader title={t('from', { name })} about={t(`platform.${id}`)} />
      {isRunning && run.data ? (
        <ImportProgress run={run.data} />
      ) : (
        <>
          <SourceForm source={id} config={config.data} />
          <StartForm source={id} config={config.data} run={run.data} choices={choices} onChoose={setChoices} />
        </>
      )}
      {run.data && !isRunning && <ImportResult key={run.data.id} source={id} run={run.data} />}
    </>
  )
}

/** An import from a platform: where it is read from, its start, its progress and its report. */
export const ImportPage = () => {
  const { t } = useTranslation('imports')
  const { source } = useParams({ strict: false })
  const platforms = useQuery(platformsQuery)
  const platform = platforms.data?.find(({ id }) => id === source)
  return (
    <>
      <Link to="/admin/import" className={back.link}>
        <ChevronLeft aria-hidden="true" /> {t('title')}
      </Link>
      <QueryState query={platforms} lines={8} />
      {platforms.data && !platform && <Empty page title={t('unknown')} />}
      {platform && <PlatformImport key={platform.id} platform={platform} />}
    </>
  )
}
