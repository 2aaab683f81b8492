import type { Recording } from './recording.ts'

export const members: Recording = async (_recorder, { ines, ben, yuki }) => {
  await ben.show().members.list({ per_page: 2 })
  await ben.show('Completing a mention').members.list({ mention: 'yu' })
  await ben.show().members.active()
  await ben.show().members.newest({ days: 30, per_page: 2 })
  await ben.show().members.topContributors({ metric: 'comments' })
  await ines.show('Verified').members.update({ user_id: ben.id, is_verified: true, badge_slugs: ['gardener'] })
  await ines.show('Suspended').members.update({ user_id: yuki.id, status: 'suspended' })
  await ines.api.members.update({ user_id: yuki.id, status: 'active' })
}
