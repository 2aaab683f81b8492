import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import type { Feed } from '../queries.ts'
import style from './composer.module.css'

interface Props {
  /** The post to edit. */
  readonly editing: Feed | undefined
  readonly isPlanned: boolean
  readonly isChanged: boolean
  readonly isReady: boolean
  readonly sending: boolean
  readonly onDraft: () => void
  readonly onDiscard: () => void
}

/** Discard, save as draft and publish buttons. */
export const ComposerFooter = ({ editing, isPlanned, isChanged, isReady, sending, onDraft, onDiscard }: Props) => {
  const { t } = useTranslation('feeds')
  const isNew = !editing || editing.status === 'draft'
  return (
    <div className={style.end}>
      {isChanged && (
        <Button kind="quiet" onClick={onDiscard}>
          {t('composer.discard')}
        </Button>
      )}
      {isNew && !isPlanned && (isChanged || editing) && (
        <Button kind="quiet" disabled={!isReady || sending} onClick={onDraft}>
          {t('composer.saveDraft')}
        </Button>
      )}
      <Button kind="primary" type="submit" busy={sending} disabled={!isReady}>
        {t(isPlanned && isNew ? 'composer.schedule' : isNew ? 'composer.post' : 'common:save')}
      </Button>
    </div>
  )
}
