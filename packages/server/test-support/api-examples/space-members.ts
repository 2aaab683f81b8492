import type { Recording } from './recording.ts'

export const spaceMembers: Recording = async (recorder, { ines, ben, mara, yuki }) => {
  await ben.show().spaceMembers.join({ space_slug: 'garden' })
  await mara.api.spaceMembers.join({ space_slug: 'garden' })
  recorder.advance(900)
  await yuki.show('A private space').spaceMembers.join({ space_slug: 'board' })
  await ines.show('A request is approved').spaceMembers.update({ space_slug: 'board', user_id: yuki.id, status: 'active' })
  await ines.show().spaceMembers.searchUsers({ q: 'yuki' })
  await ines.show().spaceMembers.add({ space_slug: 'garden', user_id: yuki.id, role: 'moderator' })
  await ines.show().spaceMembers.bulkAdd({ space_slug: 'board', user_ids: [ben.id, mara.id] })
  await ben.show().spaceMembers.list({ space_slug: 'garden' })
  await ines.show().spaceMembers.update({ space_slug: 'garden', user_id: yuki.id, role: 'member' })
  await ines.show().spaceMembers.ban({ space_slug: 'board', user_id: yuki.id })
  await ines.show().spaceMembers.unban({ space_slug: 'board', user_id: yuki.id })
  await ines.show().spaceMembers.remove({ space_slug: 'board', user_id: ben.id })
  await ines.show().spaceMembers.removeByPath({ space_slug: 'board', user_id: yuki.id })
  await mara.show().spaceMembers.leave({ space_slug: 'board' })
}
