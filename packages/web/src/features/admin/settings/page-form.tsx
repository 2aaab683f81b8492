import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../../lib/community.ts'
import { queryClient } from '../../../lib/query.ts'
import { Failure, Skeleton } from '../../../ui/states.tsx'
import { AreaHead, SaveForm, useSaving } from '../parts.tsx'

interface Source<P> {
  readonly area: string
  readonly read: () => Promise<P>
  readonly save: (page: P) => Promise<P>
  readonly children: (page: P, change: (part: Partial<P>) => void) => ReactNode
}

const Form = <P extends object>({ area, save, stored, children }: Source<P> & { readonly stored: P }) => {
  const { t } = useTranslation('admin')
  const saving = useSaving()
  const [page, setPage] = useState(stored)
  const send = () =>
    saving.run(async () => {
      const saved = await save(page)
      queryClient.setQueryData(['admin', area], saved)
      setPage(saved)
      await queryClient.invalidateQueries({ queryKey: communityQuery.queryKey })
    }, t('saved'))
  return (
    <SaveForm saving={saving} onSave={send}>
      {children(page, (part) => setPage({ ...page, ...part }))}
    </SaveForm>
  )
}

/** A page of settings that the API has as a whole: read, changed, saved. */
export const PageForm = <P extends object>(source: Source<P>) => {
  const { t } = useTranslation('admin')
  const stored = useQuery({ queryKey: ['admin', source.area], queryFn: source.read })
  return (
    <>
      <AreaHead title={t(`area.${source.area}`)} about={t(`areaAbout.${source.area}`)} />
      {stored.isPending && <Skeleton lines={8} />}
      {stored.error && <Failure error={stored.error} onRetry={stored.refetch} />}
      {stored.data && <Form {...source} stored={stored.data} />}
    </>
  )
}
