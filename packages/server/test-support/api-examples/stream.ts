import type { Recording } from './recording.ts'

export const stream: Recording = async (recorder, { ben, mara, yuki }) => {
  for await (const _event of yuki.show('The beginning').stream.listen()) break

  let feed_id = 0
  for await (const { event } of yuki.show('A post').stream.listen()) {
    if (event === 'feed') break
    feed_id = (await ben.api.feeds.create({ title: 'Seeds to share', message: 'Who would like some tomato seeds?' })).data.id
  }
  for await (const { event } of yuki.show('A comment').stream.listen()) {
    if (event === 'comment') break
    await mara.api.comments.create({ feed_id, comment: 'I would!' })
  }
  for await (const { event } of ben.show('A notification').stream.listen()) {
    if (event === 'notification') break
    await recorder.runPendingJobs()
  }
}
