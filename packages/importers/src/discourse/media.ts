import { datetimeFromText } from '../datetime.ts'
import type { Entry } from '../source.ts'
import type { Community } from './community.ts'
import { fileOfUrl, SHORT_URLS, shortNameOf } from './uploads.ts'

interface Row {
  readonly id: number
  readonly user_id: number | null
  readonly original_filename: string | null
  readonly url: string | null
  readonly sha1: string | null
  readonly extension: string | null
  readonly created_at: string | null
  readonly profile: number
  readonly space: number
  /** Whether the first post of a topic, and whether any imported post, references it. */
  readonly feed: number | null
  readonly owned: number
}

/** Uploads of profiles, categories and imported posts. Those of private messages are excluded. */
const UPLOADS = `select * from (select u.*,
      u.id in (select uploaded_avatar_id from users where id in (select id from account) and uploaded_avatar_id is not null
        union select profile_background_upload_id from user_profiles where profile_background_upload_id is not null) as profile,
      u.id in (select uploaded_logo_id from categories where uploaded_logo_id is not null
        union select uploaded_background_id from categories where uploaded_background_id is not null) as space,
      (select max(w.is_first) from written w where w.id in (
        select post_id from post_uploads where upload_id = u.id union select target_id from upload_references where upload_id = u.id)) as feed,
      u.user_id in (select id from account) as owned
    from uploads u where u.id > 0)
  where profile or space or feed is not null order by id`

const addressesOf = ({ base }: Community, { url, sha1, extension }: Row): string[] => {
  const short = shortNameOf(sha1 ?? '')
  const address = url?.startsWith('//') ? [`https:${url}`, `http:${url}`] : url ? [url] : []
  return [...(short ? [`${base}${SHORT_URLS}${short}${extension ? `.${extension}` : ''}`] : []), ...address]
}

export function* readMedia(community: Community): Generator<Entry<'media'>> {
  for (const row of community.staging.rows<Row>(UPLOADS)) {
    const file = fileOfUrl(row.url ?? '')
    yield {
      id: String(row.id),
      urls: addressesOf(community, row),
      ...(file ? { file } : {}),
      ...(row.url?.startsWith('//') && { url: `https:${row.url}` }),
      file_name: row.original_filename ?? `${row.id}`,
      ...(row.owned && { owner: String(row.user_id) }),
      used_for: row.profile ? 'profile' : row.space ? 'space' : row.feed ? 'feed' : 'comment',
      created_at: datetimeFromText(row.created_at) ?? community.earliest,
    }
  }
}

/** The media id of an upload; null if it is not imported. */
export const uploadOf = ({ staging }: Community, id: number | null): string | null =>
  id !== null && staging.get('select 1 from uploads where id = ?', id) ? String(id) : null
