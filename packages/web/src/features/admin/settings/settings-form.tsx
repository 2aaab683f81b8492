import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../../lib/community.ts'
import { wrongField } from '../../../lib/optimistic.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { QueryState } from '../../../ui/query-state.tsx'
import { UnsavedChangesGuard } from '../../../ui/unsaved-changes.tsx'
import { PageHeader, SaveForm, useSaving } from '../form-kit.tsx'

export type Wrong = ReturnType<typeof wrongField>

interface Source<P> {
  readonly area: string
  readonly read: () => Promise<P>
  readonly save: (page: P) => Promise<P>
  /** Whether the page displays the error of a field itself. */
  readonly shows?: (field: string, page: P) => boolean
  readonly children: (page: P, change: (part: Partial<P>) => void, wrong: Wrong) => ReactNode
}

const Form = <P extends object>({ area, save, shows, stored, children }: Source<P> & { readonly stored: P }) => {
  const { t } = useTranslation('admin')
  const saving = useSaving()
  const [kept, setKept] = useState(stored)
  const [page, setPage] = useState(stored)
  const [sent, setSent] = useState<P>()
  const error = page === sent ? saving.error : null
  const wrong = wrongField(error)
  const send = () => {
    setSent(page)
    return saving.run(async () => {
      const saved = await save(page)
      queryClient.setQueryData(keys.admin.settingsPage(area), saved)
      setKept(saved)
      setPage(saved)
      await queryClient.invalidateQueries({ queryKey: communityQuery.queryKey })
    }, t('saved'))
  }
  return (
    <SaveForm saving={{ ...saving, error }} onSave={send} fields={wrong && shows?.(wrong.field, page) ? [wrong.field] : []}>
      <UnsavedChangesGuard when={JSON.stringify(page) !== JSON.stringify(kept)} />
      {children(page, (part) => setPage({ ...page, ...part }), wrong)}
    </SaveForm>
  )
}

/** A settings page that the API reads and saves as a whole. */
export const SettingsPageForm = <P extends object>(source: Source<P>) => {
  const { t } = useTranslation('admin')
  const stored = useQuery({ queryKey: keys.admin.settingsPage(source.area), queryFn: source.read })
  return (
    <>
      <PageHeader title={t(`area.${source.area}`)} about={t(`areaDescription.${source.area}`)} />
      <QueryState query={stored} lines={8} />
      {stored.data && <Form {...source} stored={stored.data} />}
    </>
  )
}
