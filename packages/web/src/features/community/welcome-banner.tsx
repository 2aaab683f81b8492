import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { pictureUrl } from '../../lib/pictures.ts'
import button from '../../ui/button.module.css'
import { Card } from '../../ui/card.tsx'
import { HtmlContent } from '../../ui/html-content.tsx'
import { SmartLink } from '../../ui/smart-link.tsx'
import { VideoEmbed } from '../feeds/post/video-embed.tsx'
import { videoAt } from '../feeds/post/video-providers.ts'
import type { Welcome } from './queries.ts'
import style from './welcome-banner.module.css'

/** Fields common to the member and the guest banner. */
export type BannerContent = Pick<Welcome, 'mediaType' | 'bannerImage' | 'bannerVideo' | 'ctaButtons' | 'description_rendered'>

interface Props {
  readonly banner: BannerContent
  /** Link target of the image. */
  readonly leadsTo?: string
  /** Actions of the banner itself, such as dismiss. */
  readonly tools?: ReactNode
}

const KINDS = { primary: button.primary, secondary: button.plain, link: button.quiet } as const

const Media = ({ banner: { mediaType, bannerImage, bannerVideo }, leadsTo = '' }: Props) => {
  if (mediaType === 'video') {
    if (bannerVideo === '') return null
    const film = videoAt(bannerVideo)
    if (film) return <VideoEmbed film={film} title="" />
    // biome-ignore lint/a11y/useMediaCaption: custom videos have no caption track
    return <video className={style.media} src={bannerVideo} controls preload="none" />
  }
  if (bannerImage === '') return null
  const picture = <img className={style.media} src={pictureUrl(bannerImage)} alt="" />
  return leadsTo ? <SmartLink to={leadsTo}>{picture}</SmartLink> : picture
}

/** A banner with text, an image or video, and buttons. */
export const Banner = (props: Props) => {
  const { t } = useTranslation()
  const { banner, tools } = props
  return (
    <Card className={style.greeting} aria-label={t('welcome.label')}>
      <Media {...props} />
      {tools && <div className={style.tools}>{tools}</div>}
      {banner.description_rendered && <HtmlContent html={banner.description_rendered} />}
      {banner.ctaButtons.length > 0 && (
        <p className={style.ways}>
          {banner.ctaButtons.map(({ label, link, type, newTab }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no ID
            <SmartLink key={n} to={link} newTab={newTab === 'yes'} className={`${button.button} ${KINDS[type]}`}>
              {label}
            </SmartLink>
          ))}
        </p>
      )}
    </Card>
  )
}
