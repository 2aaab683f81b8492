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

/** What can be done with something, behind one button. */
export const Menu = ({ label, trigger, actions }: Props) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <button
        type="button"
        className={style.trigger}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={load}
        onFocus={load}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        {trigger}
      </button>
      {anchor && (
        <Suspense>
          <OpenMenu label={label} anchor={anchor} actions={actions} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  )
}
