import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { useMe } from '../../../lib/session.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Check, SelectField, TextField } from '../../../ui/field.tsx'
import { SaveForm } from '../form-kit.tsx'
import type { Member } from './queries.ts'

const STATUSES = ['active', 'suspended', 'banned'] as const
type Status = (typeof STATUSES)[number]

/** Edits status, verification and badges of an account. */
export const MemberDialog = ({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) => {
  const { t } = useTranslation('admin')
  const me = useMe()
  const form = useApiForm({ fields: ['badge_slugs'] })
  const [status, setStatus] = useState<Status | ''>(STATUSES.find((one) => one === member.status) ?? '')
  const [verified, setVerified] = useState(member.is_verified === 1)
  const [badges, setBadges] = useState(member.meta.badge_slug.join(' '))
  const isAdmin = me.role === 'admin'
  const own = me.user_id === member.user_id
  const save = async () => {
    const changes = {
      user_id: member.user_id,
      ...(status && status !== member.status && { status }),
      ...(isAdmin && {
        is_verified: verified,
        badge_slugs: badges
          .toLowerCase()
          .split(/[\s,]+/)
          .filter(Boolean),
      }),
    }
    if (!(await form.run(() => client.members.update(changes), t('saved')))) return
    onClose()
    await queryClient.invalidateQueries({ queryKey: keys.admin.memberLists })
  }
  return (
    <Dialog title={member.display_name} onClose={onClose}>
      <SaveForm form={form} onSave={save}>
        {!own && (isAdmin || me.permissions.includes('ban_members')) && (
          <SelectField
            label={t('members.status')}
            hint={status && t(`statusHint.${status}`)}
            value={status}
            onChange={(event) => setStatus(event.currentTarget.value as Status)}
          >
            {status === '' && <option value="">{t(`status.${member.status}`)}</option>}
            {STATUSES.map((value) => (
              <option key={value} value={value}>
                {t(`status.${value}`)}
              </option>
            ))}
          </SelectField>
        )}
        {isAdmin && (
          <>
            <Check
              label={t('members.verify')}
              hint={t('members.verifyHint')}
              checked={verified}
              onChange={(event) => setVerified(event.currentTarget.checked)}
            />
            <TextField
              label={t('members.badges')}
              hint={t('members.badgesHint')}
              error={form.errorOf('badge_slugs')}
              value={badges}
              spellCheck={false}
              onChange={(event) => setBadges(event.currentTarget.value)}
            />
          </>
        )}
      </SaveForm>
    </Dialog>
  )
}
