import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../lib/shortcuts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Card } from '../../ui/card.tsx'
import style from './quick-composer.module.css'

/** The editor is loaded on demand, because most visitors only read. */
const load = () => import('./composer/composer.tsx')
const Composer = lazy(() => load().then(({ Composer: component }) => ({ default: component })))

interface Props {
  readonly name: string
  readonly avatar: string
  /** The preselected space. */
  readonly spaceId?: number
}

/** A prompt that opens the composer. */
export const QuickComposer = ({ name, avatar, spaceId }: Props) => {
  const { t } = useTranslation('feeds')
  const [open, setOpen] = useState(false)
  useShortcut('n', t('shortcuts.new'), () => setOpen(true))
  return (
    <Card className={style.card}>
      <Avatar name={name} src={avatar} />
      <button
        type="button"
        className={style.prompt}
        onClick={() => setOpen(true)}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
      >
        {t('composer.prompt', { name: name.split(' ')[0] })}
      </button>
      {open && (
        <Suspense>
          <Composer {...(spaceId && { spaceId })} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Card>
  )
}
