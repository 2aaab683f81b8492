import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../lib/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { MenuButton } from '../../ui/menu.tsx'

const load = () => import('./account-actions.tsx')
const AccountActions = lazy(() => load().then((module) => ({ default: module.AccountActions })))

/** The account menu behind the user's avatar. */
export const AccountMenu = () => {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <MenuButton label={t('shell.account')} trigger={<Avatar name={me.display_name} src={me.avatar} />} onNear={load}>
      {(anchor, close) => anchor && <AccountActions anchor={anchor} onClose={close} />}
    </MenuButton>
  )
}
