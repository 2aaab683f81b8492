import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { BASE_PATH } from '../../lib/base-path.ts'
import { communityQuery } from '../../lib/community.ts'
import { pictureUrl } from '../../lib/pictures.ts'
import { Card } from '../../ui/card.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import style from './auth.module.css'

const Banner = lazy(() => import('../community/welcome-banner.tsx').then((module) => ({ default: module.Banner })))

interface Props {
  readonly title: string
  readonly intro?: ReactNode
  readonly children: ReactNode
  /** Links below the card. */
  readonly after?: ReactNode
  /** Whether to show the guest welcome banner. */
  readonly greets?: boolean
}

/** The layout of pages for guests. */
export const AuthLayout = ({ title, intro, children, after, greets = false }: Props) => {
  const { data: community } = useQuery(communityQuery)
  const greeting = greets ? community?.appearance.welcome_banner : null
  return (
    <main className={style.page}>
      {greeting && (
        <Suspense>
          <div className={style.greeting}>
            <Banner banner={greeting} leadsTo={greeting.useCustomUrl === 'yes' ? greeting.customUrl : ''} />
          </div>
        </Suspense>
      )}
      <Card className={style.card}>
        <img className={style.logo} src={pictureUrl(community?.logo_url) || `${BASE_PATH}/icon.svg`} alt="" width={48} height={48} />
        <header className={style.head}>
          <PageTitle>{title}</PageTitle>
          <h1>{title}</h1>
          {intro && <p className={style.soft}>{intro}</p>}
        </header>
        {children}
      </Card>
      {after && <p className={style.after}>{after}</p>}
    </main>
  )
}
