import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import style from './page-tabs.module.css'

export interface PageTab {
  readonly to: string
  readonly label: string
  readonly count?: number | undefined
  /** Whether the tab is active only for its exact path. */
  readonly exact?: boolean
}

/** Tabs of a page, each with its own URL. */
export const PageTabs = ({ label, tabs }: { readonly label: string; readonly tabs: readonly PageTab[] }) => {
  const place = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone the tabs may overflow; scroll the active one into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever the path changes
  useEffect(() => {
    const nav = place.current
    const own = nav?.querySelector<HTMLElement>('[aria-current]')
    if (nav && own) nav.scrollLeft = own.offsetLeft - nav.offsetLeft - (nav.clientWidth - own.offsetWidth) / 2
  }, [pathname])
  return (
    <nav className={style.tabs} aria-label={label} ref={place}>
      {tabs.map(({ to, label: text, count, exact = false }) => (
        <Link
          key={to}
          to={to}
          className={style.tab}
          activeProps={{ 'aria-current': 'page' }}
          activeOptions={{ exact, includeSearch: false }}
          resetScroll={false}
        >
          {text}
          {count !== undefined && <span className={style.count}>{count}</span>}
        </Link>
      ))}
    </nav>
  )
}
