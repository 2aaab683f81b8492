import { useTranslation } from 'react-i18next'
import { lazy, Suspense, useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { Card } from '../../ui/card.tsx'
import style from './quick-composer.module.css'

/** Most who read write nothing: what is needed for writing comes when somebody wants to. */
const Composer = lazy(() => import('./composer.tsx').then(({ Composer: component }) => ({ default: component })))

/** An invitation to write, which becomes what one writes in. */
export const QuickComposer = ({ name, avatar }: { readonly name: string; readonly avatar: string }) => {
  const { t } = useTranslation('feeds')
  const [open, setOpen] = useState(false)
  return (
    <Card className={style.card}>
      <Avatar name={name} src={avatar} />
      <button type="button" className={style.prompt} onClick={() => setOpen(true)}>
        {t('composer.prompt', { name: name.split(' ')[0] })}
      </button>
      {open && (
        <Suspense>
          <Composer onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Card>
  )
}
