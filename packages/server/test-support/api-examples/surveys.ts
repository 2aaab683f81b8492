import type { Recording } from './recording.ts'

export const surveys: Recording = async (recorder, { ben, mara, yuki }) => {
  const { data: feed } = await ben.show('With a survey').feeds.create({
    title: 'Which Saturday?',
    message: 'When shall we dig the new bed?',
    content_type: 'survey',
    meta: {
      survey: {
        question: 'When shall we dig?',
        options: [
          { slug: 'april-4', label: '4 April' },
          { slug: 'april-11', label: '11 April' },
        ],
        allow_multiple: false,
        show_results: 'always',
      },
    },
  })
  await mara.api.surveys.vote({ feed_id: feed.id, option_slug: 'april-11' })
  recorder.advance(300)
  await yuki.show().surveys.vote({ feed_id: feed.id, option_slug: 'april-11' })
  await ben.show().surveys.voters({ feed_id: feed.id, option_slug: 'april-11' })
}
