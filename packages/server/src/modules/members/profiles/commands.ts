import { isHttpUrl } from '@lyceum/content'
import { type api, BIO_BYTES, type BodyOf, type LinkProvider, LOCATION_LENGTH } from '@lyceum/contract'
import type { WriteRequest } from '../../../core/context.ts'
import { ApiError, invalidField } from '../../../core/errors.ts'
import { lockRow, replaceUserNames } from '../../../db/index.ts'
import { checkDisplayName, cleanName } from '../../accounts/index.ts'
import { assertNotBlocked } from '../../automod/index.ts'
import { acceptAllPending } from '../../followers/index.ts'
import { attachMedia } from '../../media/index.ts'
import { linkProviders } from '../../settings/index.ts'
import { type ProfileRow, profileFor } from '../profile-access.ts'

type ProfileBody = BodyOf<typeof api.profiles.update>

const badUrl = (field: string) => new ApiError('invalid_url', { data: { field } })

const web = (value: string, field: string): string => {
  const url = value.trim()
  if (url && !isHttpUrl(url)) throw badUrl(field)
  return url
}

/** An image may also be given as a path on this site. */
const imageUrl = (value: string, field: string, origin: string): string => {
  const url = value.trim()
  if (url.startsWith('/') && !url.startsWith('//') && isHttpUrl(origin + url)) return url
  return web(url, field)
}

const location = (value: string, field: string): string => {
  const text = value.replace(/\s+/gu, ' ').trim()
  if ([...text].length > LOCATION_LENGTH) throw invalidField(field, `must have at most ${LOCATION_LENGTH} characters`)
  return text
}

const bio = (value: string, field: string): string => {
  if (Buffer.byteLength(value) > BIO_BYTES) throw invalidField(field, `must have at most ${BIO_BYTES} bytes`)
  return value
}

const displayName = (value: string, before: string, isStaff: boolean): string => {
  const name = cleanName(value)
  if (!name) throw invalidField('display_name', 'must not be empty')
  if (name !== before) checkDisplayName(name, isStaff)
  return name
}

type Links = NonNullable<ProfileBody['social_links']>

/** Merges the sent links into the stored ones; an empty one is removed. New links must lead to an enabled site. */
const mergeLinks = (stored: string, sent: Links, offered: ReadonlySet<LinkProvider>): string => {
  const links = new Map(Object.entries(JSON.parse(stored) as Record<string, string>))
  for (const [network, address] of Object.entries(sent)) {
    if (address === undefined) continue
    const url = web(address ?? '', `social_links.${network}`)
    const isNew = url !== '' && url !== links.get(network)
    if (isNew && !offered.has(network as LinkProvider)) throw badUrl(`social_links.${network}`)
    if (url) links.set(network, url)
    else links.delete(network)
  }
  return JSON.stringify(Object.fromEntries([...links].sort(([a], [b]) => (a < b ? -1 : 1))))
}

const privacyOf = ({ is_private, settings }: ProfileBody) => is_private ?? settings?.is_private

const TEXTS = { first_name: cleanName, last_name: cleanName, location, website: web, avatar: imageUrl, cover_photo: imageUrl }

const bioField = (body: ProfileBody) => (body.bio === undefined ? 'short_description' : 'bio')

/** Validates a body and converts it to the stored form; fields that were not sent are missing. */
const changesFrom = (before: ProfileRow, body: ProfileBody, origin: string, offered: ReadonlySet<LinkProvider>): Partial<ProfileRow> => {
  const { display_name, social_links, lang } = body
  const secret = privacyOf(body)
  return {
    ...(display_name !== undefined && { display_name: displayName(display_name, before.display_name, before.manager_role !== null) }),
    ...(body[bioField(body)] !== undefined && { short_description: bio(body.bio ?? body.short_description ?? '', bioField(body)) }),
    ...Object.fromEntries(
      Object.entries(TEXTS).flatMap(([field, validate]) => {
        const text = body[field as keyof typeof TEXTS]
        return text === undefined ? [] : [[field, validate(text ?? '', field, origin)]]
      }),
    ),
    ...(social_links !== undefined && { social_links: mergeLinks(before.social_links, social_links, offered) }),
    ...(lang !== undefined && { lang: lang ?? '' }),
    ...(secret !== undefined && { is_private: secret ? 1 : 0 }),
  }
}

/** The public texts among the changes, by field; links that existed before are not checked again. */
const publicTexts = (changes: Partial<ProfileRow>, linksBefore: string, body: ProfileBody): Record<string, string | undefined> => {
  const { display_name, first_name, last_name, short_description, location, website, social_links } = changes
  const before = Object.values(JSON.parse(linksBefore) as Record<string, string>)
  const links = Object.entries(JSON.parse(social_links ?? '{}') as Record<string, string>).filter(([, url]) => !before.includes(url))
  return {
    ...{ display_name, first_name, last_name, [bioField(body)]: short_description, location, website },
    ...Object.fromEntries(links.map(([network, url]) => [`social_links.${network}`, url])),
  }
}

/**
 * Updates the caller's profile; unsent and unchanged fields have no effect. A profile that becomes public accepts all pending follow
 * requests.
 * @throws invalid_username, user_not_found, rest_forbidden for another member's profile, invalid_url, invalid_data
 */
export const updateProfile = async (ctx: WriteRequest, username: string, body: ProfileBody): Promise<ProfileRow> => {
  const { db, now, actor, services } = ctx
  const found = await profileFor(ctx, username)
  if (found.id !== actor.id) throw new ApiError('rest_forbidden')
  // Locks the senders of follow requests before the caller's own row: users are locked in id order.
  const becomesPrivate = privacyOf(body)
  if (becomesPrivate !== undefined && !becomesPrivate) await acceptAllPending(ctx, found.id)
  await lockRow(db, 'users', found.id)
  const before = await profileFor(ctx, username)
  // The username may belong to someone else by now.
  if (before.id !== found.id) throw new ApiError('user_not_found')
  const wanted = changesFrom(before, body, services.origin(), await linkProviders(db))
  const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => before[name as keyof ProfileRow] !== value))
  if (Object.keys(changes).length === 0) return before
  await assertNotBlocked(ctx, actor, publicTexts(changes, before.social_links, body))
  const after: ProfileRow = { ...before, ...changes, updated_at: now }
  await db
    .updateTable('users')
    .set({ ...changes, updated_at: now })
    .where('id', '=', before.id)
    .execute()
  if ('display_name' in changes) await replaceUserNames(db, before.id, { username: before.username, displayName: after.display_name })
  if ('avatar' in changes || 'cover_photo' in changes)
    await attachMedia(ctx, { source: 'profile', objectId: before.id, urls: [after.avatar, after.cover_photo] })
  await ctx.emit('user.profile_updated', { user_id: before.id })
  return after
}
