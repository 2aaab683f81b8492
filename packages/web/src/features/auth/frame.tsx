import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { communityQuery } from '../../lib/community.ts'
import { Card } from '../../ui/card.tsx'
import style from './auth.module.css'

interface Props {
  readonly title: string
  readonly intro?: ReactNode
  readonly children: ReactNode
  /** What stands below the card: other ways to go. */
  readonly after?: ReactNode
}

/** A page for somebody who is not signed in. */
export const AuthFrame = ({ title, intro, children, after }: Props) => {
  const { data: community } = useQuery(communityQuery)
  return (
    <main className={style.page}>
      <title>{`${title} · ${community?.site_name ?? 'Lyceum'}`}</title>
      <Card className={style.card}>
        <img className={style.logo} src={community?.logo_url || '/icon.svg'} alt="" width={48} height={48} />
        <header className={style.head}>
          <h1>{title}</h1>
          {intro && <p className={style.soft}>{intro}</p>}
        </header>
        {children}
      </Card>
      {after && <p className={style.after}>{after}</p>}
    </main>
  )
}
