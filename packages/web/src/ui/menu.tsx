import { lazy, type ReactNode, Suspense, useState } from 'react'
import style from './menu.module.css'
import type { MenuAction } from './menu-open.tsx'

export type { MenuAction }

interface Props {
  /** What the menu is about, for those who do not see the picture. */
  readonly label: string
  readonly trigger: ReactNode
  readonly actions: readonly MenuAction[]
}

/** Every post has a menu, and few are opened: what makes one comes with the first. */
const load = () => import('./menu-open.tsx')
const OpenMenu = lazy(() => load().then((module) => ({ default: module.OpenMenu })))

interface ButtonProps {
  readonly label: string
  readonly trigger: ReactNode
  /** Called when it is likely that the menu will be opened. */
  readonly onNear: () => void
  /** What belongs to the menu, once it has been opened; the anchor is null while it is closed. */
  readonly children: (anchor: HTMLElement | null, close: () => void) => ReactNode
}

/** The button of a menu whose actions are made when it is opened. */
export const MenuButton = ({ label, trigger, onNear, children }: ButtonProps) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [opened, setOpened] = useState(false)
  return (
    <>
      <button
        type="button"
        className={style.trigger}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={onNear}
        onFocus={onNear}
        onClick={(event) => {
          setOpened(true)
          setAnchor(anchor ? null : event.currentTarget)
        }}
      >
        {trigger}
      </button>
      {opened && <Suspense>{children(anchor, () => setAnchor(null))}</Suspense>}
    </>
  )
}

/** What can be done with something, behind one button. */
export const Menu = ({ label, trigger, actions }: Props) => (
  <MenuButton label={label} trigger={trigger} onNear={load}>
    {(anchor, close) => anchor && <OpenMenu label={label} anchor={anchor} actions={actions} onClose={close} />}
  </MenuButton>
)
