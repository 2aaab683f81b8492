import type { ReactNode } from 'react'
import style from './sidebar.module.css'

interface Props {
  readonly id: string
  readonly title: string
  readonly children: ReactNode
  /** Link to the full list. */
  readonly all?: ReactNode
}

/** A short list in the sidebar. */
export const SidebarPanel = ({ id, title, children, all }: Props) => (
  <section aria-labelledby={id} className={style.part}>
    <header>
      <h2 id={id}>{title}</h2>
      {all}
    </header>
    <ul>{children}</ul>
  </section>
)
