import type { Recording } from './recording.ts'

export const followers: Recording = async (recorder, { ben, mara, yuki }) => {
  await ben.show('A public profile').followers.follow({ username: 'mara' })
  await mara.api.followers.follow({ username: 'ben' })
  await mara.show().followers.status({ username: 'ben' })
  await yuki.show().followers.followers({ username: 'mara' })
  await yuki.show().followers.followings({ username: 'ben' })
  await recorder.app.write(yuki.id, async ({ db }) => {
    await db.updateTable('users').set({ is_private: 1 }).where('id', '=', yuki.id).execute()
  })
  await ben.show('A private profile').followers.follow({ username: 'yuki' })
  await mara.api.followers.follow({ username: 'yuki' })
  recorder.advance(600)
  const { data } = await yuki.show().followers.requests({})
  const [latest, first] = data.map(({ id }) => id) as [number, number]
  await yuki.show().followers.approve({ request_id: first })
  await yuki.show().followers.reject({ request_id: latest })
  await yuki.show().followers.removeFollower({ username: 'ben' })
  await ben.show().followers.unfollow({ username: 'mara' })
  await recorder.app.write(yuki.id, async ({ db }) => {
    await db.updateTable('users').set({ is_private: 0 }).where('id', '=', yuki.id).execute()
  })
}
