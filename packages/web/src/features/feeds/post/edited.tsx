import { useTranslation } from 'react-i18next'
import { whole } from '../../../lib/time.ts'

interface Props {
  readonly of: { readonly edited_at: string | null; readonly edited_by_moderator: boolean }
  readonly className?: string | undefined
  readonly before?: string
}

/** Says that content was edited, and by whom where it was not its author. */
export const Edited = ({ of, className, before = '' }: Props) => {
  const { t } = useTranslation('feeds')
  if (of.edited_at === null) return null
  return (
    <span className={className} title={whole(of.edited_at)}>
      {before}
      {t(of.edited_by_moderator ? 'moderated.edited' : 'feed.edited')}
    </span>
  )
}
