import type { ReactNode } from 'react'
import style from './sidebar.module.css'

interface Props {
  readonly id: string
  readonly title: string
  readonly children: ReactNode
  /** Where all of it is. */
  readonly all?: ReactNode
}

/** One thing that goes on, as a short list. */
export const Part = ({ id, title, children, all }: Props) => (
  <section aria-labelledby={id} className={style.part}>
    <header>
      <h2 id={id}>{title}</h2>
      {all}
    </header>
    <ul>{children}</ul>
  </section>
)
