import { LINK_PROVIDERS, type LinkProvider, USUAL_PROVIDERS } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { rowOf, storeRow } from './repository.ts'
import { settingsChanged } from './settings-by-key.ts'

const KEY = 'link_providers'

const SITES: Readonly<Record<LinkProvider, { readonly title: string; readonly placeholder: string; readonly domain: string }>> = {
  instagram: { title: 'Instagram', placeholder: 'https://instagram.com/name', domain: 'instagram.com' },
  twitter: { title: 'Twitter', placeholder: 'https://x.com/name', domain: 'x.com' },
  youtube: { title: 'YouTube', placeholder: 'https://youtube.com/@name', domain: 'youtube.com' },
  linkedin: { title: 'LinkedIn', placeholder: 'https://linkedin.com/in/name', domain: 'linkedin.com' },
  fb: { title: 'Facebook', placeholder: 'https://facebook.com/name', domain: 'facebook.com' },
  blue_sky: { title: 'Bluesky', placeholder: 'https://bsky.app/profile/name', domain: 'bsky.app' },
  tiktok: { title: 'TikTok', placeholder: 'https://tiktok.com/@name', domain: 'tiktok.com' },
  pinterest: { title: 'Pinterest', placeholder: 'https://pinterest.com/name', domain: 'pinterest.com' },
  telegram: { title: 'Telegram', placeholder: 'https://t.me/name', domain: 't.me' },
  snapchat: { title: 'Snapchat', placeholder: 'https://snapchat.com/add/name', domain: 'snapchat.com' },
  reddit: { title: 'Reddit', placeholder: 'https://reddit.com/user/name', domain: 'reddit.com' },
  twitch: { title: 'Twitch', placeholder: 'https://twitch.tv/name', domain: 'twitch.tv' },
  vk: { title: 'VK', placeholder: 'https://vk.com/name', domain: 'vk.com' },
  github: { title: 'GitHub', placeholder: 'https://github.com/name', domain: 'github.com' },
  mastodon: { title: 'Mastodon', placeholder: 'https://mastodon.social/@name', domain: '' },
}

export const linkProviders = async (db: Db): Promise<ReadonlySet<LinkProvider>> => {
  const stored = await rowOf(db, KEY)
  if (stored === undefined) return new Set(USUAL_PROVIDERS)
  const chosen = JSON.parse(stored) as readonly unknown[]
  return new Set(LINK_PROVIDERS.filter((name) => chosen.includes(name)))
}

export const viewLinkProviders = async (db: Db) => {
  const chosen = await linkProviders(db)
  return Object.fromEntries(LINK_PROVIDERS.map((name) => [name, { ...SITES[name], enabled: chosen.has(name) }])) as Record<
    LinkProvider,
    (typeof SITES)[LinkProvider] & { enabled: boolean }
  >
}

export const saveLinkProviders = async (ctx: WriteRequest, chosen: readonly LinkProvider[]): Promise<void> => {
  await storeRow(ctx.db, [KEY, JSON.stringify([...new Set(chosen)].sort()), ctx.now])
  await settingsChanged(ctx, { page: 'link_providers', enabled: chosen })
}
