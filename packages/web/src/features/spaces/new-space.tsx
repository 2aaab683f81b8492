import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import sheet from '../../ui/form.module.css'
import { PageTitle } from '../../ui/page-title.tsx'
import { refetchSpaces } from './actions.ts'
import { SpaceForm, type SpaceInput } from './space-form.tsx'

/** Where a space is made. */
export const NewSpacePage = () => {
  const { t } = useTranslation('spaces')
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: async ({ slug, ...words }: SpaceInput) => (await client.spaces.create({ ...words, ...(slug && { slug }) })).data,
    onSuccess: async ({ slug }) => {
      await refetchSpaces()
      await navigate({ to: '/spaces/$slug', params: { slug } })
    },
  })
  return (
    <div className={sheet.page}>
      <PageTitle>{t('new')}</PageTitle>
      <h1>{t('new')}</h1>
      <SpaceForm action={t('create')} busy={create.isPending} error={create.error} onSubmit={(words) => create.mutate(words)} />
    </div>
  )
}
