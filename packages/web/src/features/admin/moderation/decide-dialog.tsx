import type { Inputs } from '@lyceum/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { useMe } from '../../../lib/session.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextArea } from '../../../ui/field.tsx'
import { SaveForm } from '../form-kit.tsx'
import type { Report } from './queries.ts'

type Input = Inputs['moderation']['update']
type Action = NonNullable<Input['action_taken']>

const DECISIONS = ['resolved', 'dismissed', 'reviewed'] as const
const ACTIONS = ['none', 'warning', 'content_edited', 'content_removed', 'user_suspended', 'user_banned'] as const
const OF_CONTENT: readonly Action[] = ['content_edited', 'content_removed']
const OF_PEOPLE: readonly Action[] = ['user_suspended', 'user_banned']

/** Resolves a report and applies the chosen action. */
export const DecideDialog = ({ report, onClose }: { readonly report: Report; readonly onClose: () => void }) => {
  const { t } = useTranslation('admin')
  const me = useMe()
  const form = useApiForm()
  const [status, setStatus] = useState<Input['status']>('resolved')
  const [action, setAction] = useState<Action>(report.action_taken)
  const [note, setNote] = useState(report.moderator_note)
  const actions = ACTIONS.filter(
    (one) =>
      (report.object_type !== 'user' || !OF_CONTENT.includes(one)) && (me.permissions.includes('ban_members') || !OF_PEOPLE.includes(one)),
  )
  const save = async () => {
    const input = { report_id: report.id, status, moderator_note: note, ...(status === 'resolved' && { action_taken: action }) }
    const done = await form.run(() => client.moderation.update(input), t('reports.decided'))
    if (!done) return
    onClose()
    await queryClient.invalidateQueries({ queryKey: keys.admin.reportLists })
  }
  return (
    <Dialog title={t('reports.decideTitle')} onClose={onClose} lightly={note === report.moderator_note}>
      <SaveForm form={form} onSave={save} action={t(status === 'resolved' && action !== 'none' ? 'reports.saveAndApply' : 'reports.save')}>
        <SelectField
          label={t('reports.decision')}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value as Input['status'])}
        >
          {DECISIONS.map((value) => (
            <option key={value} value={value}>
              {t(`decision.${value}`)}
            </option>
          ))}
        </SelectField>
        {status === 'resolved' && (
          <SelectField
            label={t('reports.action')}
            hint={t(`actionHint.${action}`)}
            value={action}
            onChange={(event) => setAction(event.currentTarget.value as Action)}
          >
            {actions.map((value) => (
              <option key={value} value={value}>
                {t(`action.${value}`)}
              </option>
            ))}
          </SelectField>
        )}
        <TextArea
          label={t('reports.note')}
          hint={t('reports.noteHint')}
          value={note}
          maxLength={2000}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </SaveForm>
    </Dialog>
  )
}
