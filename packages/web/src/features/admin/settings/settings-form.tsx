import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldError, fieldErrorOf, useApiForm } from '../../../lib/api-form.ts'
import { communityQuery } from '../../../lib/community.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { QueryState } from '../../../ui/query-state.tsx'
import { UnsavedChangesGuard } from '../../../ui/unsaved-changes.tsx'
import { PageHeader, SaveForm } from '../form-kit.tsx'

interface Source<P> {
  readonly area: string
  readonly read: () => Promise<P>
  readonly save: (page: P) => Promise<P>
  /** Whether the page displays the error of a field itself. */
  readonly shows?: (field: string, page: P) => boolean
  readonly children: (page: P, change: (part: Partial<P>) => void, failed: FieldError | null) => ReactNode
}

const Form = <P extends object>({ area, save, shows, stored, children }: Source<P> & { readonly stored: P }) => {
  const { t } = useTranslation('admin')
  const [savedPage, setSavedPage] = useState(stored)
  const [page, setPage] = useState(stored)
  const form = useApiForm({ fields: (field) => shows?.(field, page) ?? false })
  const change = (part: Partial<P>) => {
    setPage({ ...page, ...part })
    form.clearError()
  }
  const send = () =>
    form.run(async () => {
      const saved = await save(page)
      queryClient.setQueryData(keys.admin.settingsPage(area), saved)
      setSavedPage(saved)
      setPage(saved)
      await queryClient.invalidateQueries({ queryKey: communityQuery.queryKey })
    }, t('saved'))
  return (
    <SaveForm form={form} onSave={send}>
      <UnsavedChangesGuard when={JSON.stringify(page) !== JSON.stringify(savedPage)} />
      {children(page, change, fieldErrorOf(form.error))}
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
