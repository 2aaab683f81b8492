import { Ellipsis } from 'lucide-react'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { MenuButton } from '../../../ui/menu.tsx'
import type { PostActionsProps } from './actions.tsx'

const load = () => import('./actions.tsx')
const PostActions = lazy(() => load().then((module) => ({ default: module.PostActions })))

/** The actions menu of a post. */
export const PostMenu = (props: Pick<PostActionsProps, 'feed' | 'onRemoved'>) => {
  const { t } = useTranslation('feeds')
  return (
    <MenuButton label={t('feed.actions')} trigger={<Ellipsis aria-hidden="true" />} onNear={load}>
      {(anchor, close) => <PostActions {...props} anchor={anchor} onClose={close} />}
    </MenuButton>
  )
}
