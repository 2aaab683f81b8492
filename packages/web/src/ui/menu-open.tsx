import { type ReactNode, useRef } from 'react'
import { Menu as AriaMenu, Header, MenuItem, MenuSection, Popover } from 'react-aria-components'
import style from './menu.module.css'

export interface MenuAction {
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly onAction?: () => void
  readonly href?: string
  readonly newTab?: boolean
}

export interface MenuPart {
  readonly title: string
  readonly actions: readonly MenuAction[]
}

interface Props {
  readonly label: string
  readonly anchor: HTMLElement
  readonly actions: readonly MenuAction[]
  /** Additional items in labeled groups. */
  readonly parts?: readonly MenuPart[]
  readonly onClose: () => void
}

const Action = ({ label, icon, danger, onAction, href, newTab }: MenuAction) => (
  <MenuItem
    className={style.item ?? ''}
    textValue={label}
    {...(onAction && { onAction })}
    {...(href && { href, rel: 'noreferrer' })}
    {...(newTab && { target: '_blank' })}
    {...(danger && { 'data-danger': '' })}
  >
    {icon}
    {label}
  </MenuItem>
)

/** The menu below its button. */
export const OpenMenu = ({ label, anchor, actions, parts = [], onClose }: Props) => {
  const trigger = useRef(anchor)
  return (
    <Popover className={style.popover ?? ''} placement="bottom end" triggerRef={trigger} isOpen onOpenChange={(open) => open || onClose()}>
      <AriaMenu className={style.menu ?? ''} aria-label={label} autoFocus="first" onClose={onClose}>
        {actions.map((action, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat
          <Action key={n} {...action} />
        ))}
        {parts.map(({ title, actions: more }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat
          <MenuSection key={n} className={style.part ?? ''} aria-label={title || label}>
            {title && <Header className={style.title}>{title}</Header>}
            {more.map((action, m) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat
              <Action key={m} {...action} />
            ))}
          </MenuSection>
        ))}
      </AriaMenu>
    </Popover>
  )
}
