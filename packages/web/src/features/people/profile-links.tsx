import { Globe, Link2, MapPin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import style from './profile.module.css'
import type { Profile } from './queries.ts'

/** Site names as the sites spell them. */
export const SITES: Readonly<Record<string, string>> = {
  twitter: 'X (Twitter)',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
  fb: 'Facebook',
  instagram: 'Instagram',
  blue_sky: 'Bluesky',
  tiktok: 'TikTok',
  pinterest: 'Pinterest',
  telegram: 'Telegram',
  snapchat: 'Snapchat',
  reddit: 'Reddit',
  twitch: 'Twitch',
  vk: 'VK',
  github: 'GitHub',
  mastodon: 'Mastodon',
}

/** Host names that are not `name.com`. Mastodon can be on any host. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  twitter: ['x.com', 'twitter.com'],
  youtube: ['youtube.com', 'youtu.be'],
  fb: ['facebook.com', 'fb.com'],
  blue_sky: ['bsky.app'],
  telegram: ['t.me', 'telegram.me', 'telegram.org'],
  twitch: ['twitch.tv'],
}

/** The site name, or the URL if it points to another site. */
const nameOf = (site: string, address: string): string => {
  const host = URL.parse(address)?.hostname ?? ''
  const isThere = (HOSTS[site] ?? [`${site}.com`]).some((known) => host === known || host.endsWith(`.${known}`))
  return isThere ? (SITES[site] ?? site) : short(address)
}

const isWeb = (address: string) => /^https?:\/\//.test(address)
const short = (address: string) => address.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')

/** Location, website and links of a member. */
export const ProfileLinks = ({ profile }: { readonly profile: Profile }) => {
  const { t } = useTranslation('people')
  const sites = Object.entries(profile.social_links).filter(([, address]) => address && isWeb(address))
  const website = isWeb(profile.website) ? profile.website : ''
  if (!profile.location && !website && sites.length === 0) return null
  return (
    <ul className={style.links} aria-label={t('links')}>
      {profile.location && (
        <li>
          <MapPin aria-hidden="true" /> {profile.location}
        </li>
      )}
      {website && (
        <li>
          <Globe aria-hidden="true" />
          <a href={website} target="_blank" rel="noreferrer ugc">
            {short(website)}
          </a>
        </li>
      )}
      {sites.map(([site, address]) => (
        <li key={site}>
          <Link2 aria-hidden="true" />
          <a href={address} target="_blank" rel="noreferrer ugc">
            {nameOf(site, address)}
          </a>
        </li>
      ))}
    </ul>
  )
}
