import { asFile, picture } from '../media.ts'
import type { Recording } from './recording.ts'

export const media: Recording = async (_recorder, { ines, ben }) => {
  const file = asFile(await picture('jpeg', 1200, 800), 'summit.jpg', 'image/jpeg')
  const { data } = await ben.show().media.upload({ file, object_source: 'feed' })
  const preview = await ben.show().media.oembed({ url: 'https://trail.example/how-to-read-a-map' })
  const meta = {
    media_items: [{ id: data.id, url: data.file_url }],
    preview: { url: preview.data.provider_url, title: preview.data.title },
  }
  const { data: feed } = await ben.api.feeds.create({ message: 'Up here at last.', meta })
  await ines.show().media.get({ media_id: data.id })
  await ines.show().media.ofProfile({ username: 'ben' })
  await ben.show().media.removePreview({ feed_id: feed.id })
  await ben.show().media.remove({ media_id: data.id })
}
