import { lazy, type ReactNode, Suspense, useState } from 'react'
import style from './menu.module.css'
import type { MenuAction } from './menu-open.tsx'

export type { MenuAction }

interface Props {
  /** Accessible label. */
  readonly label: string
  readonly trigger: ReactNode
  readonly actions: readonly MenuAction[]
}

/** Loaded lazily: every post has a menu, but few are opened. */
const load = () => import('./menu-open.tsx')
const OpenMenu = lazy(() => load().then((module) => ({ default: module.OpenMenu })))

interface ButtonProps {
  readonly label: string
  readonly trigger: ReactNode
  /** Called when the menu is likely to be opened soon. */
  readonly onNear: () => void
  /** The menu, rendered after it was first opened; the anchor is null while it is closed. */
  readonly children: (anchor: HTMLElement | null, close: () => void) => ReactNode
}

/** A menu button whose items are rendered on first open. */
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

/** An actions menu behind one button. */
export const Menu = ({ label, trigger, actions }: Props) => (
  <MenuButton label={label} trigger={trigger} onNear={load}>
    {(anchor, close) => anchor && <OpenMenu label={label} anchor={anchor} actions={actions} onClose={close} />}
  </MenuButton>
)
