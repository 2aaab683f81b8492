import { type ReactNode, useRef } from 'react'
import { Menu as AriaMenu, MenuItem, Popover } from 'react-aria-components'
import style from './menu.module.css'

export interface MenuAction {
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly onAction?: () => void
  readonly href?: string
}

interface Props {
  readonly label: string
  readonly anchor: HTMLElement
  readonly actions: readonly MenuAction[]
  readonly onClose: () => void
}

/** The actions of a menu, below its button. */
export const OpenMenu = ({ label, anchor, actions, onClose }: Props) => {
  const trigger = useRef(anchor)
  return (
    <Popover className={style.popover ?? ''} placement="bottom end" triggerRef={trigger} isOpen onOpenChange={(open) => open || onClose()}>
      <AriaMenu className={style.menu ?? ''} aria-label={label} autoFocus="first" onClose={onClose}>
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
  )
}
