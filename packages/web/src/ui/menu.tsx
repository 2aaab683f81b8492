import type { ReactNode } from 'react'
import { Menu as AriaMenu, Button, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import style from './menu.module.css'

export interface MenuAction {
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly onAction?: () => void
  readonly href?: string
}

interface Props {
  /** What the menu is about, for those who do not see the picture. */
  readonly label: string
  readonly trigger: ReactNode
  readonly actions: readonly MenuAction[]
}

/** What can be done with something, behind one button. */
export const Menu = ({ label, trigger, actions }: Props) => (
  <MenuTrigger>
    <Button className={style.trigger ?? ''} aria-label={label}>
      {trigger}
    </Button>
    <Popover className={style.popover ?? ''} placement="bottom end">
      <AriaMenu className={style.menu ?? ''} aria-label={label}>
        {actions.map(({ label: text, icon, danger, onAction, href }) => (
          <MenuItem
            key={text}
            className={style.item ?? ''}
            textValue={text}
            {...(onAction && { onAction })}
            {...(href && { href })}
            {...(danger && { 'data-danger': '' })}
          >
            {icon}
            {text}
          </MenuItem>
        ))}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
)
