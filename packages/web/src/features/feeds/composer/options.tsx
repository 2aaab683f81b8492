import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../../lib/community.ts'
import { useMe } from '../../../lib/session.ts'
import { Check, SelectField, TextField } from '../../../ui/field.tsx'
import type { Space } from '../queries.ts'
import style from './composer.module.css'
import { KINDS, type PostDraft } from './form-state.ts'

interface Props {
  readonly draft: PostDraft
  readonly space: Space | undefined
  /** Whether the post can be scheduled. */
  readonly isUnpublished: boolean
  readonly error?: string | undefined
  readonly onChange: (part: Partial<PostDraft>) => void
}

/** Rarely used options: type, visibility and scheduling. */
export const PostOptions = ({ draft, space, isUnpublished, error, onChange }: Props) => {
  const { t } = useTranslation('feeds')
  const me = useMe()
  const community = useQuery(communityQuery)
  const pins = space ? space.permissions.can_pin_post : me.permissions.includes('pin_feeds') || me.permissions.includes('moderate_spaces')
  const kinds = KINDS.filter((kind) => kind !== 'announcement' || pins || draft.kind === kind)
  const planned = draft.scheduled !== '' || draft.isPrivate || draft.kind !== 'feed'
  return (
    <details className={style.options} open={planned || error !== undefined || undefined}>
      <summary className={style.summary}>{t('composer.options')}</summary>
      <div className={style.pair}>
        <SelectField
          label={t('composer.type')}
          value={draft.kind}
          onChange={({ currentTarget }) => onChange({ kind: KINDS.find((kind) => kind === currentTarget.value) ?? 'feed' })}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`composer.types.${kind}`)}
            </option>
          ))}
        </SelectField>
        {isUnpublished && community.data?.features.scheduled_posts && (
          <TextField
            label={t('composer.publishAt')}
            hint={t('composer.publishAtHint')}
            type="datetime-local"
            value={draft.scheduled}
            error={error}
            onChange={({ currentTarget }) => onChange({ scheduled: currentTarget.value })}
          />
        )}
      </div>
      <Check
        label={t(space ? 'composer.privateInSpace' : 'composer.privateOutside')}
        checked={draft.isPrivate}
        onChange={({ currentTarget }) => onChange({ isPrivate: currentTarget.checked })}
      />
    </details>
  )
}
