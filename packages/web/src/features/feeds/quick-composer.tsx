import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKey } from '../../lib/shortcuts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Card } from '../../ui/card.tsx'
import style from './quick-composer.module.css'

/** Most who read write nothing: what is needed for writing comes when somebody wants to. */
const load = () => import('./composer/composer.tsx')
const Composer = lazy(() => load().then(({ Composer: component }) => ({ default: component })))

interface Props {
  readonly name: string
  readonly avatar: string
  /** The space that is written in, unless another is chosen. */
  readonly spaceId?: number
}

/** An invitation to write, which becomes what one writes in. */
export const QuickComposer = ({ name, avatar, spaceId }: Props) => {
  const { t } = useTranslation('feeds')
  const [open, setOpen] = useState(false)
  useKey('n', t('keys.new'), () => setOpen(true))
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
