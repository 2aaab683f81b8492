import { describe, expect, test } from 'vitest'
import { uploadAddresses } from './media-files.ts'
import { php, type Rows, read, readAll, smallSite } from './small-site.ts'

const UPLOADS = 'https://club.example/wp-content/uploads'

const attached = async (meta: unknown, more: Rows = {}) => {
  const { records, noted } = await read('posts', { fcom_posts: [{ id: 7, meta: php(meta) }], ...more })
  const { media, gif, preview } = records[0] ?? {}
  return { media, gif, preview, noted }
}

describe('attachments', () => {
  const ROWS = {
    fcom_media_archive: [
      { id: 3, media_url: `${UPLOADS}/a.png` },
      { id: 4, media_key: 'k4', media_url: `${UPLOADS}/b.pdf` },
    ],
  }

  test('one picture, several, and documents', async () => {
    const one = { is_uploaded: true, provider: 'uploader', type: 'meta_data', image: `${UPLOADS}/a.png`, media_id: 3 }
    expect((await attached({ media_preview: one }, ROWS)).media).toEqual(['3'])
    const items = [{ media_id: 3 }, { media_id: 99, url: `${UPLOADS}/a.png` }, { url: `${UPLOADS}/library.jpg` }]
    expect((await attached({ media_items: items }, ROWS)).media).toEqual(['3', 'file:library.jpg'])
    expect((await attached({ document_lists: [{ id: 88, media_key: 'k4', title: 'b' }] }, ROWS)).media).toEqual(['4'])
  })

  test('pictures that are no uploads are noted', async () => {
    const { media, noted } = await attached({ media_items: [{ media_id: 99, url: 'https://other.example/x.png' }] }, ROWS)
    expect(media).toBe(undefined)
    expect(noted).toEqual(['7: its picture https://other.example/x.png was dropped: it is not an upload of the site'])
  })

  test('a GIF', async () => {
    const preview = { image: 'https://media.giphy.com/x.gif', type: 'image', provider: 'giphy', width: 480, height: 270 }
    expect((await attached({ media_preview: preview })).gif).toEqual({ url: 'https://media.giphy.com/x.gif', width: 480, height: 270 })
  })

  test('link previews and videos', async () => {
    const link = {
      type: 'meta_data',
      title: 'T',
      description: 'D',
      image: 'https://a.example/i.png',
      url: 'https://a.example/?a=1&b=2',
      icon: 'x',
    }
    expect((await attached({ media_preview: link })).preview).toEqual({
      url: 'https://a.example/?a=1&b=2',
      title: 'T',
      description: 'D',
      image: 'https://a.example/i.png',
    })
    const video = {
      type: 'oembed',
      provider: 'youtube',
      url: 'https://youtu.be/x',
      html: '<iframe>',
      title: 'V',
      content_type: 'video',
      author_name: 'A',
    }
    expect((await attached({ media_preview: video })).preview).toEqual({
      url: 'https://youtu.be/x',
      title: 'V',
      provider: 'youtube',
      author_name: 'A',
      type: 'video',
    })
    expect((await attached({ media_preview: { type: 'meta_data', url: 'javascript:x' } })).preview).toBe(undefined)
  })
})

describe('media', () => {
  test('rows of the archive: file, original name and use', async () => {
    const { records } = await read('media', {
      fcom_media_archive: [
        { id: 1, media_url: `${UPLOADS}/fluent-community/fluentcom-Ab9-fluentcom-K%C3%A4se-1.png`, object_source: 'user_avatar' },
        {
          id: 2,
          media_path: '/var/www/wp-content/uploads/doc.pdf',
          media_key: 'k',
          settings: php({ original_name: 'Plan.pdf' }),
          object_source: 'space_document',
        },
        { id: 3, media_url: 'https://bucket.example/x/abc.jpg', media_path: 'x/abc.jpg', driver: 's3' },
        { id: 4, is_active: 0 },
      ],
    })
    expect(records).toEqual([
      {
        id: '1',
        urls: [`${UPLOADS}/fluent-community/fluentcom-Ab9-fluentcom-K%C3%A4se-1.png`],
        file: 'fluent-community/fluentcom-Ab9-fluentcom-Käse-1.png',
        url: `${UPLOADS}/fluent-community/fluentcom-Ab9-fluentcom-K%C3%A4se-1.png`,
        file_name: 'Käse-1.png',
        owner: '1',
        used_for: 'profile',
        created_at: '2024-07-01 10:00:00',
      },
      {
        id: '2',
        urls: ['/hub/?fcom_action=download_document&media_key=k&media_id=2'],
        file: 'doc.pdf',
        file_name: 'Plan.pdf',
        owner: '1',
        used_for: 'feed',
        created_at: '2024-07-01 10:00:00',
      },
      {
        id: '3',
        urls: ['https://bucket.example/x/abc.jpg'],
        file: 'x/abc.jpg',
        url: 'https://bucket.example/x/abc.jpg',
        file_name: 'abc.jpg',
        owner: '1',
        used_for: 'feed',
        created_at: '2024-07-01 10:00:00',
      },
    ])
  })

  test('pictures of people who are not there are left out', async () => {
    const { records, skipped } = await read('media', {
      fcom_media_archive: [
        { id: 1, media_url: `${UPLOADS}/a.png`, object_source: 'user_avatar', user_id: 80 },
        { id: 2, media_url: `${UPLOADS}/b.png`, object_source: 'user_cover_photo', user_id: 81 },
        { id: 3, media_url: `${UPLOADS}/c.png`, user_id: 80 },
      ],
      fcom_xprofile: [{ user_id: 81, username: 'gone' }],
    })
    expect(records.map(({ id }) => id)).toEqual(['2', '3'])
    expect(skipped).toEqual(['1: the account of the pictured member does not exist in the source'])
  })

  test('files that only texts name', async () => {
    const source = smallSite({
      fcom_posts: [
        { message: `![x](${UPLOADS}/2024/with%20space%20%C3%BC%2520.jpg) and [pdf](/wp-content/uploads/a_(1).pdf).`, user_id: 2 },
      ],
      fcom_post_comments: [{ post_id: 1, message: `<img src="${UPLOADS}/c.png?x=1&amp;y=2">` }],
    })
    const { records } = await readAll(source, 'media')
    expect(records.map(({ file, used_for, owner }) => [file, used_for, owner])).toEqual([
      ['2024/with space ü%20.jpg', 'feed', '2'],
      ['a_(1).pdf', 'feed', '2'],
      ['c.png', 'comment', '1'],
    ])
    // A file that the uploads do not have.
    expect(await source.openMedia(records[0] as never)).toBe(null)
    await source.close()
  })

  test('addresses are found in linear time', () => {
    const needles = ['/uploads/']
    expect(uploadAddresses('x'.repeat(300_000), needles)).toEqual([])
    expect(uploadAddresses('/uploads/'.repeat(100_000), needles).length).toBeLessThan(1000)
    expect(uploadAddresses(`${'('.repeat(100_000)}/uploads/a.png`, needles)).toEqual(['/uploads/a.png'])
  })
})
